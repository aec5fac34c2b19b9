"""Every check finds a planted violation and leaves a tree alone that has none."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import binary_check
import format_check
import odr_check
import record_check
import registration_check
import room_order_check
import shell_check
import tidy_check
import tree

ROOMS = """\
ringside_room(base LINKS fmt)
ringside_room(model LINKS ringside_base JSON)
ringside_room(device
  LINKS ringside_model KERNELS SOURCES ${generated})
"""


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.plant("CMakeLists.txt", ROOMS)

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def assert_only(self, found, *parts):
        """One violation, which holds all the parts."""
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])


class RoomOrder(Checks):
    def setUp(self):
        super().setUp()
        self.plant("libcore/model/all.cpp", '#include "base/text.hpp"\n#include "model/b.hpp"\n#include <nlohmann/json.hpp>\n')
        self.plant("libcore/device/all.cpp", '#include "model/b.hpp"\n#include "kernels/k.hpp"\n#include <vector>\n')
        self.plant("kernels/k.hpp", '#include <cuda_runtime_api.h>\n#include <cstdint>\n#include "kernels/l.hpp"\n')

    def test_rooms_that_are_linked_may_be_included(self):
        self.assertEqual(room_order_check.violations(self.root), [])

    def test_a_later_room_may_not(self):
        self.plant("libcore/base/a.hpp", '#pragma once\n#include "model/case.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "libcore/base/a.hpp:2:", "model comes later")

    def test_an_earlier_room_that_is_not_linked_may_not_either(self):
        self.plant("libcore/device/a.cpp", '#include "base/text.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "libcore/device/a.cpp:1:", "does not link base")

    def test_a_room_that_no_file_includes_may_not_be_linked(self):
        self.plant("libcore/device/all.cpp", '#include "kernels/k.hpp"\n#include "device/b.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "CMakeLists.txt:3:", "device links model")

    def test_neither_may_a_library_or_the_kernels(self):
        self.plant("libcore/model/all.cpp", '#include "base/text.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "CMakeLists.txt:2:", "model links JSON")
        self.plant("libcore/model/all.cpp", '#include "base/text.hpp"\n#include <nlohmann/json.hpp>\n')
        self.plant("libcore/device/all.cpp", '#include "model/b.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "CMakeLists.txt:3:", "device links KERNELS")

    def test_a_room_links_earlier_ones_alone(self):
        self.plant("CMakeLists.txt", ROOMS.replace("base LINKS fmt", "base LINKS fmt ringside_model"))
        self.plant("libcore/base/a.cpp", '#include "model/b.hpp"\n')
        self.assertTrue(any("base links model, which is no earlier room" in line
                            for line in room_order_check.violations(self.root)))

    def test_kernels_are_for_the_rooms_that_link_them(self):
        self.plant("libcore/model/a.hpp", '#include "kernels/k.hpp"\n')
        self.assert_only(room_order_check.violations(self.root), "libcore/model/a.hpp:1:", "KERNELS")

    def test_a_heavy_library_stays_in_the_sources_of_its_room(self):
        for name in ("libcore/model/a.hpp", "libcore/device/a.cpp"):
            self.plant(name, "#include <nlohmann/json_fwd.hpp>\n")
            self.assert_only(room_order_check.violations(self.root), f"{name}:1:", "JSON")
            os.remove(self.root / name)

    def test_the_command_line_library_stays_in_tools(self):
        self.plant("libcore/base/a.cpp", "#include <CLI/CLI.hpp>\n")
        self.assert_only(room_order_check.violations(self.root), "tools/")

    def test_a_kernel_sees_only_cuda_and_std(self):
        for target in ("<fmt/core.h>", '"base/units.hpp"', "<unistd.h>"):
            self.plant("kernels/k.cu", f"#include {target}\n")
            self.assert_only(room_order_check.violations(self.root), "kernels/k.cu:1:", target)

    def test_a_folder_that_is_no_room_is_named(self):
        self.plant("libcore/attic/a.cpp", "\n")
        self.assert_only(room_order_check.violations(self.root), "attic")


@unittest.skipUnless(format_check.formatter(), "no clang-format 14 here")
class Format(Checks):
    def test_a_file_out_of_form_is_named_once(self):
        self.plant(".clang-format", "BasedOnStyle: Google\n")
        self.plant("libcore/a.cpp", "int a = 1;\n")
        self.assertEqual(format_check.violations(self.root), [])
        self.plant("libcore/a.cpp", "int  a=1;\nint  b=1;\n")
        self.assert_only(format_check.violations(self.root), "libcore/a.cpp:1:", "clang-format -i")


class Registration(Checks):
    def strategy(self, *families):
        for family in families:
            yield f'class {family} : public Strategy {{\n  std::string_view family() const override {{ return "{family}"; }}\n}};\n'

    def test_several_members_of_one_family_pass(self):
        self.plant("libcore/strategy/host/a.cpp", "".join(self.strategy("ring"))
                   + "const RegisterStrategy<A> a;\nconst RegisterStrategy<B> b;\n")
        self.assertEqual(registration_check.violations(self.root), [])

    def test_two_families_in_a_file_are_found(self):
        self.plant("libcore/strategy/a.cpp", "".join(self.strategy("ring", "tree")) + "const RegisterStrategy<A> a;\n")
        self.assert_only(registration_check.violations(self.root), "ring", "tree")

    def test_a_family_may_be_named_in_a_table(self):
        self.plant("libcore/strategy/a.cpp", 'Spec a = {.family = "nccl-ring"};\nconst RegisterStrategy<A<kB>> a;\n')
        self.assertEqual(registration_check.violations(self.root), [])

    def test_a_family_that_the_binary_does_not_know_is_lost(self):
        self.plant("libcore/strategy/host/a.cpp", "".join(self.strategy("ring")) + "const RegisterStrategy<A> a;\n")
        self.assertEqual(registration_check.lost_families(self.root, {"ring"}), [])
        self.assert_only(registration_check.lost_families(self.root, {"tree"}), "libcore/strategy/host/a.cpp:1:", "ring")

    def test_a_family_that_nobody_registers_is_found(self):
        self.plant("libcore/strategy/a.cpp", "".join(self.strategy("ring")) + "// const RegisterStrategy<A> a;\n")
        self.assert_only(registration_check.violations(self.root), "never registered")

    def test_two_writers_in_a_file_are_found_and_so_is_a_lost_one(self):
        self.plant("libcore/report/a.cpp", "const RegisterWriter<A> a;\nconst RegisterWriter<B> b;\n")
        self.assert_only(registration_check.violations(self.root), "A, B")
        self.plant("libcore/report/a.cpp", "class A final : public Writer {};\n")
        self.assert_only(registration_check.violations(self.root), "never registered")

    def test_a_lost_renderer_and_a_lost_kind_of_result_are_found(self):
        for base, what in (("Renderer", "writer"), ("ResultKind", "kind of result")):
            self.plant("libcore/report/a.cpp", f"class A final : public {base} {{}};\n")
            self.assert_only(registration_check.violations(self.root), f"its {what} is never registered")

    def test_a_renderer_that_knows_a_kind_of_result_is_found_and_so_is_a_view_that_knows_a_format(self):
        self.plant("libcore/report/render/html/a.cpp", '#include "report/view.hpp"\n')
        self.assertEqual(registration_check.violations(self.root), [])
        for known in ("report/views/blocks.hpp", "model/document.hpp"):
            self.plant("libcore/report/render/html/a.cpp", f'#include "{known}"\n')
            self.assert_only(registration_check.violations(self.root), "libcore/report/render/html/a.cpp:1:", known)
        self.plant("libcore/report/render/html/a.cpp", "")
        self.plant("libcore/report/views/a.cpp", '#include "report/render/ansi.hpp"\n')
        self.assert_only(registration_check.violations(self.root), "libcore/report/views/a.cpp:1:")


class OneDefinition(Checks):
    def both(self, first, second):
        self.plant("libcore/base/a.hpp", f"namespace ringside {{\n{first}\n}}\n")
        self.plant("tools/b.cpp", f"namespace ringside {{\n{second}\n}}\n")
        return odr_check.violations(self.root)

    def test_a_type_that_is_defined_twice_is_found(self):
        self.assert_only(self.both("struct Result {\n  int code = 0;\n};", "class Result final : public Base {\n void f() {}\n};"),
                         "tools/b.cpp:2:", "ringside::Result", "libcore/base/a.hpp:2")
        self.assert_only(self.both("enum class Kind { a, b };", "template <typename T>\nstruct alignas(64) Kind { T a; };"),
                         "tools/b.cpp:3:", "ringside::Kind")
        self.assert_only(self.both("struct A { struct Inside { int a; }; };", "struct A::Inside { int b; };"), "A::Inside")

    def test_a_function_that_is_defined_twice_is_found(self):
        self.assert_only(self.both("inline int size(const Map<int, int>& map) { return 1; }",
                                   "int size(const Map<int, int>& other = {}) noexcept { return 2; }"), "ringside::size(")

    def test_other_parameters_make_another_function(self):
        self.assertEqual(self.both("int size(int a) { return a; }", "int size(long a, int b) { return b; }"), [])

    def test_what_is_no_second_definition_passes(self):
        for second in ("struct A;", "namespace { struct A { int a; }; }", "namespace other { struct A { int a; }; }",
                       "void f() { struct A { int a; }; }", "struct B { struct A { int a; }; };", "// struct A { int a; };",
                       "struct A make() { return {}; }", 'const char* a = "struct A {";', "static struct A f() { return {}; }",
                       "#define A struct A { }"):
            self.assertEqual(self.both("struct A { int a; };", second), [], second)


@unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck here")
class Shell(Checks):
    def test_a_careless_script_is_found_by_its_first_line(self):
        self.plant("scripts/a", "#!/bin/bash\nrm -rf $1\n")
        self.plant("scripts/b.py", "#!/usr/bin/env python3\nrm -rf $1\n")
        self.assert_only(shell_check.violations(self.root), "scripts/a:2:", "SC2086")


class Record(Checks):
    STRUCT = ("struct Row {\n  int a = 0;  // how many\n  std::optional<std::vector<double>> b;\n  int sum() const { return a; }\n};\n\n"
              "template <typename Fields>\nvoid describe(Fields& fields, const Row*) {\n  fields.add(\"a\", &Row::a);\n%s}\n")

    def test_a_member_that_is_not_described_is_found(self):
        self.plant("libcore/model/row.hpp", self.STRUCT % '  fields.add("b", &Row::b);\n')
        self.assertEqual(record_check.violations(self.root), [])
        self.plant("libcore/model/row.hpp", self.STRUCT % "")
        self.assert_only(record_check.violations(self.root), "libcore/model/row.hpp:3:", "Row::b")


class Tidy(Checks):
    def test_a_path_of_the_machine_is_found(self):
        for path in (f"{self.root}/build", "/".join(["", "home", "ada", "x"]), "/".join(["", "work", "main"])):
            self.plant("docs/a.md", f"line\nsee {path}\n")
            self.assert_only(tidy_check.violations(self.root), "docs/a.md:2:", "path of this machine")

    def test_a_path_of_every_machine_is_fine(self):
        self.plant("docs/a.md", "see /usr/local/cuda and docs/work/a and /proc/self\n")
        self.assertEqual(tidy_check.violations(self.root), [])

    def test_work_left_for_later_is_found(self):
        self.plant("libcore/a.cpp", "// TO" "DO: later\n")
        self.assert_only(tidy_check.violations(self.root), "libcore/a.cpp:1:")

    def test_a_test_whose_name_ctest_would_split_is_found(self):
        self.plant("tests/a_test.cpp", 'TEST_CASE("one, and two") {}\n')
        self.assertEqual(tidy_check.violations(self.root), [])
        self.plant("tests/a_test.cpp", 'TEST_CASE("one; two") {}\n')
        self.assert_only(tidy_check.violations(self.root), "tests/a_test.cpp:1:", "ctest")

    def test_a_kind_of_finding_that_is_not_from_the_list_is_found(self):
        self.plant("libcore/a.cpp", 'Finding f{.kind = finding_kind("tie")};\n')
        self.assertEqual(tidy_check.violations(self.root), [])
        self.plant("libcore/a.cpp", 'Finding f{.kind = "tie"};\n')
        self.assert_only(tidy_check.violations(self.root), "libcore/a.cpp:1:", "from the list")

    def test_a_header_that_may_not_be_included_twice_is_found(self):
        self.plant("libcore/a.hpp", "#pragma once\nstruct A {};\n")
        self.assertEqual(tidy_check.violations(self.root), [])
        self.plant("libcore/a.hpp", "// #pragma once\nstruct A {};\n")
        self.assert_only(tidy_check.violations(self.root), "libcore/a.hpp:1:", "pragma once")

    def test_a_long_file_is_found(self):
        self.plant("libcore/a.cpp", "\n" * 400)
        self.assertEqual(tidy_check.violations(self.root), [])
        self.plant("libcore/a.cpp", "\n" * 401)
        self.assert_only(tidy_check.violations(self.root), "401 lines")


class Binary(Checks):
    def compile(self, source, *options):
        program = self.root / "program"
        subprocess.run(["c++", "-x", "c++", "-", "-o", program, *options], input=source, text=True, check=True)
        return str(program)

    def test_the_shared_standard_library_is_found(self):
        program = self.compile("#include <iostream>\nint main() { std::cout << 1; }\n")
        self.assertTrue(any("libstdc++" in line for line in binary_check.library_violations(program)))

    def test_a_symbol_above_the_limit_is_found_by_name(self):
        program = self.compile("#include <cstdio>\nint main() { puts(\"x\"); }\n")
        self.assert_only(binary_check.glibc_violations(program, (2, 1))[:1], "glibc", "the limit is 2.1")
        self.assertEqual(binary_check.glibc_violations(program, (2, 99)), [])

    def test_symbols_inside_are_found_and_so_are_symbols_that_are_gone(self):
        self.assertEqual(binary_check.symbol_violations(self.compile("int main() {}\n", "-s")), [])
        self.assert_only(binary_check.symbol_violations(self.compile("int main() {}\n")), "not stripped", ".symtab")
        program = self.compile("int main() {}\n", "-g")
        self.assertEqual(len(binary_check.symbol_violations(program)), 2)
        subprocess.run(["objcopy", "--only-keep-debug", program, f"{program}.debug"], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={program}.debug", program], check=True)
        self.assertEqual(binary_check.symbol_violations(program), [])
        os.remove(f"{program}.debug")
        self.assert_only(binary_check.symbol_violations(program), "its symbols are not in")

    def test_a_program_that_does_not_start_is_found(self):
        self.assert_only(binary_check.start_violations(self.compile("int main() { return 9; }\n")), "gave 9")


class Tree(Checks):
    def test_ignored_files_of_a_checkout_are_no_part_of_the_tree(self):
        subprocess.run(["git", "init", "--quiet", self.root], check=True)
        self.plant(".gitignore", "/out/\n")
        self.plant("out/a.cpp", "")
        self.plant("src/b.cpp", "")
        self.assertEqual(tree.files(self.root, suffixes=(".cpp",)), [self.root / "src/b.cpp"])


if __name__ == "__main__":
    unittest.main()
