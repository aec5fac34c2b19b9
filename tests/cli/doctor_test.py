"""doctor: each planted fault is named and nothing else is new beside the box without it; what nobody looked at is not
known; predictions follow the rules of NCCL and of servers."""

import json
import os
import pathlib
import re
import unittest

from support.ringside import FolderTestCase, run

SOURCE = pathlib.Path(os.environ["RINGSIDE_SOURCE"])
GOOD = (SOURCE / "tests/data/doctor/two-h200.facts").read_text(encoding="utf-8")
PAGE = SOURCE / "docs/checks.md"
HEAD = """# What doctor looks at

Each check is a question about a box. Its answer is ok, not ok, or not known with the reason. An error is what ends a server's own
call; a hint is what good boxes show too. This page is made from `ringside list checks`.

| check | question | at worst | needs | costs | goes by |
|---|---|---|---|---|---|
"""

# Fact changes, the check that must name them, and how bad it is.
PLANTS = [
    ({"shm.free_bytes": "67108864"}, "shared-memory", "warning"),
    ({"shm.free_bytes": "67108864", "env.NCCL_CUMEM_HOST_ENABLE": "0"}, "shared-memory", "error"),
    ({"limit.memlock": "65536", "rdma.verbs_files": "yes"}, "locked-memory", "warning"),
    ({"limit.nofile": "256"}, "limits", "warning"),
    ({"cgroup.pids_max": "512"}, "limits, processes", "warning"),
    ({"probe.take_descriptor": "Operation not permitted"}, "descriptor-sharing", "error"),
    ({"probe.bind_memory": "Operation not permitted"}, "memory-policy", "error"),
    ({"net.host_addresses": "127.0.1.1"}, "host-name", "warning"),
    ({"net.host_addresses": ""}, "host-name", "warning"),
    ({"env.NCCL_SOCKET_IFNAME": "eth0"}, "interfaces", "error"),
    ({"env.GLOO_SOCKET_IFNAME": "^lo,docker0"}, "interfaces", "error"),
    ({"nccl.conf.etc": "NCCL_ALGO=Tree"}, "nccl-settings", "warning"),
    ({"env.NCCL_TUNER_PLUGIN": "/opt/tuner.so"}, "nccl-settings", "warning"),
    ({"tmpdir.socket": "a path there has 130 characters, a socket's may have 107"}, "temporary-folder", "error"),
    ({"python.nvidia-nccl-cu12": "2.29.3", "python.nvidia-nccl-cu13": "2.29.7"}, "nccl-copies", "error"),
    ({"lib.nccl.count": "2", "lib.nccl.1.path": "/opt/libnccl.so.2", "lib.nccl.1.origin": "LD_LIBRARY_PATH"}, "nccl-copies",
     "warning"),
    ({"lib.cuda": "/usr/local/cuda-13.0/compat/libcuda.so.580.65.06"}, "libcuda", "warning"),
    ({"driver.cuda": "12080"}, "driver-version", "error"),
    ({"driver.version": "575.57.08"}, "driver-module", "error"),
    ({"pair.0.1.access": "no"}, "peer-access", "warning"),
    ({"pair.0.1.atomics": "no"}, "peer-access, remote atomics", "warning"),
    ({"pair.0.1.nvml_write": "4"}, "peer-permission", "error"),
    ({"gpu.1.iommu_type": "DMA-FQ"}, "iommu", "warning"),
    ({"gpu.0.nvlinks": "0", "gpu.0.bar1_bytes": "268435456"}, "bar1", "warning"),
    ({"gpu.1.fabric": "in progress"}, "fabric", "error"),
    ({"gpu.1.recovery_action": "1"}, "gpu-errors", "error"),
    ({"gpu.0.remap_pending": "yes"}, "gpu-errors", "error"),
    ({"gpu.0.ecc_uncorrected": "3"}, "gpu-errors", "warning"),
    ({"gpu.1.power_limit_w": "300"}, "power", "warning"),
    ({"gpu.1.used_bytes": "15032385536"}, "foreign-memory", "warning"),
    ({"env.CUDA_VISIBLE_DEVICES": "GPU-0a,GPU-1b"}, "device-list", "error"),
    ({"gpu.0.mig": "yes"}, "device-list", "error"),
    ({"gpu.1.name": "NVIDIA H100"}, "mixed-gpus", "warning"),
    ({"cpus.allowed": "48-95"}, "near-cores", "warning"),
    ({"gpu.1.link_width": "8"}, "pcie-width", "warning"),
    ({"gpu.1.nvlinks": "17", "gpu.1.nvlinks_inactive": "1"}, "nvlinks", "warning"),
    ({"rdma.devices": "mlx5_0", "rdma.mlx5_0.state": "1: DOWN", "rdma.verbs_files": "yes",
      "driver.params.EnableStreamMemOPs": "1", "driver.params.RegistryDwords": "PeerMappingOverride=1;"}, "rdma", "warning"),
    ({"rdma.devices": "mlx5_0", "rdma.mlx5_0.state": "4: ACTIVE", "rdma.verbs_files": "yes",
      "driver.params.EnableStreamMemOPs": "0", "driver.params.RegistryDwords": ""}, "ibgda", "warning"),
    ({"gpu.0.persistence": "no"}, "persistence", "warning"),
]


def changed(facts, changes):
    lines = [line for line in facts.splitlines() if line.split(" ")[0] not in changes]
    return "\n".join(lines + [f"{name} = {value}" for name, value in changes.items()]) + "\n"


def not_ok(document):
    return {(outcome["check"], outcome["subject"], outcome["severity"], outcome["sentence"])
            for outcome in document["doctor"]["outcomes"] if outcome["result"] == "not-ok"}


class Box(FolderTestCase):
    def doctor(self, text, *arguments, status=None):
        path = self.folder / "box.facts"
        path.write_text(text, encoding="utf-8")
        result = run("doctor", "--facts", str(path), "--json", "-", *arguments)
        if status is not None:
            self.assertEqual(result.returncode, status, result.stderr + result.stdout[-2000:])
        return json.loads(result.stdout)


class Faults(Box):
    def test_a_good_box_has_neither_error_nor_hint(self):
        document = self.doctor(GOOD, status=0)
        self.assertEqual(not_ok(document), set())
        self.assertEqual(document["findings"], [])

    def test_each_planted_fault_is_named_and_nothing_else(self):
        for changes, where, severity in PLANTS:
            with self.subTest(where=where, changes=changes):
                document = self.doctor(changed(GOOD, changes), status=6 if severity == "error" else 0)
                found = not_ok(document)
                check, _, subject = where.partition(", ")
                self.assertEqual({(one[0], one[2]) for one in found}, {(check, severity)}, found)
                if subject:
                    self.assertEqual({one[1] for one in found}, {subject})
                kinds = {finding["kind"] for finding in document["findings"]}
                self.assertEqual(kinds, {"box-error" if severity == "error" else "box-hint"})

    def test_every_check_has_a_plant_or_cannot_fail_here(self):
        names = {check["name"] for check in json.loads(run("list", "checks", "--json", "-").stdout)["checks"]}
        self.assertGreaterEqual(len(names), 28)
        self.assertEqual(names - {where.partition(", ")[0] for _, where, _ in PLANTS}, {"acs", "multicast"})

    def test_a_fact_that_is_missing_is_not_known_and_never_ok(self):
        names = [line.split(" ")[0] for line in GOOD.splitlines() if line and not line.startswith("#")]
        known = {(o["check"], o["subject"]): o["result"] for o in self.doctor(GOOD)["doctor"]["outcomes"]}
        for name in ("shm.free_bytes", "limit.memlock", "probe.take_descriptor", "net.host_name", "tmpdir.socket", "lib.cuda",
                     "driver.version", "cpus.allowed", "gpus.count"):
            self.assertIn(name, names)
            with self.subTest(name):
                text = changed(GOOD, {name: "x"}).replace(f"{name} = x\n", f"{name} ? needs root\n")
                document = self.doctor(text)
                unknown = [o for o in document["doctor"]["outcomes"]
                           if o["result"] == "not-known" and known.get((o["check"], o["subject"])) != "not-known"]
                self.assertTrue(unknown)
                self.assertTrue(any("needs root" in outcome["sentence"] for outcome in unknown), unknown)

    def test_with_one_gpu_what_takes_a_pair_is_not_known(self):
        outcomes = {o["check"]: o for o in self.doctor(changed(GOOD, {"gpus.count": "1"}))["doctor"]["outcomes"]}
        for check in ("peer-access", "peer-permission", "acs"):
            self.assertEqual((outcomes[check]["result"], outcomes[check]["sentence"]),
                             ("not-known", "it takes 2 GPUs; seen: 1"))
        self.assertEqual(outcomes["bar1"]["result"], "ok")

    def test_nothing_known_is_status_3(self):
        document = self.doctor("host.kernel ? hidden\n", status=3)
        self.assertEqual({o["result"] for o in document["doctor"]["outcomes"]}, {"not-known"})

    def test_fail_on(self):
        hint = changed(GOOD, {"gpu.0.persistence": "no"})
        self.doctor(hint, "--fail-on", "hint", status=6)
        self.doctor(GOOD, "--fail-on", "unknown", status=6)  # ACS takes root
        self.doctor(changed(GOOD, {"gpu.0.mig": "yes"}), "--fail-on", "none", status=0)


class Predictions(Box):
    def paths(self, text, *arguments):
        return [(p["subject"], p["path"], p["because"]) for p in self.doctor(text, *arguments)["doctor"]["predictions"]]

    def pcie(self, **changes):
        return changed(GOOD, {"gpu.0.nvlinks": "0", "gpu.1.nvlinks": "0", "gpu.0.fabric": "not supported",
                              "gpu.1.fabric": "not supported", **{key.replace("__", "."): v for key, v in changes.items()}})

    def test_nccl_goes_by_links_distance_and_settings(self):
        self.assertEqual(self.paths(GOOD)[0][1], "peer access over NVLink")
        by = self.doctor(GOOD)["doctor"]["predictions"][0]["by"]
        self.assertEqual(by, "NCCL 2.28.9 (rules of 2.30.7)")  # another version than the one that was read
        self.assertEqual(self.paths(changed(GOOD, {"env.NCCL_P2P_DISABLE": "1"}))[0][1:], ("host memory (SHM)", "NCCL_P2P_DISABLE=1"))
        self.assertEqual(self.paths(changed(GOOD, {"pair.0.1.access": "no"}))[0][1], "host memory (SHM)")
        intel = self.paths(self.pcie())[0]
        self.assertEqual(intel[1], "host memory (SHM)")
        self.assertIn("SYS", intel[2])
        amd = self.paths(self.pcie(host__cpu_vendor="AuthenticAMD"))[0]
        self.assertEqual(amd[1], "peer access over PCIe")
        self.assertIn("AMD", amd[2])
        asked = self.paths(self.pcie(env__NCCL_P2P_LEVEL="SYS"))[0]
        self.assertEqual(asked[1], "peer access over PCIe")

    def test_below_one_switch_peer_access_is_used(self):
        near = "sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:{}.0/0000:{}:00.0"
        path = self.paths(self.pcie(gpu__0__pci_path=near.format("00", "18"), gpu__1__pci_path=near.format("01", "19")))[0]
        self.assertEqual(path[1], "peer access over PCIe")
        self.assertIn("PIX", path[2])

    def test_the_host_bridge_in_common_is_too_far(self):
        port = "sys/devices/pci0000:15/0000:15:0{}.0/0000:{}:00.0"
        path = self.paths(self.pcie(gpu__0__pci_path=port.format(1, 18), gpu__1__pci_path=port.format(2, 19)))[0]
        self.assertEqual(path[1], "host memory (SHM)")
        self.assertIn("PHB", path[2])

    def test_what_is_hidden_makes_it_not_known(self):
        text = self.pcie(gpu__0__pci_path="x").replace("gpu.0.pci_path = x\n", "gpu.0.pci_path ? hidden in this container\n")
        self.assertEqual(self.paths(text)[0][1], "")
        self.assertIn("hidden in this container", self.paths(text)[0][2])

    def test_a_server_s_path_by_size_with_the_reason_of_each_other(self):
        document = self.doctor(GOOD, "--for", "vllm@0.20.0")
        server = [p for p in document["doctor"]["predictions"] if p["by"].startswith("vLLM")]
        self.assertEqual(len(server), 5)
        for prediction in server:
            self.assertTrue(prediction["path"] or "not known" in prediction["because"], prediction)
            self.assertTrue(prediction["others"])

    def test_a_command_names_server_ranks_and_flags(self):
        path = self.folder / "box.facts"
        path.write_text(GOOD, encoding="utf-8")
        result = run("doctor", "--facts", str(path), "--json", "-", "--", "vllm", "serve", "X", "--tensor-parallel-size", "2",
                     "--disable-custom-all-reduce")
        predictions = [p for p in json.loads(result.stdout)["doctor"]["predictions"] if p["by"].startswith("vLLM")]
        self.assertTrue(all("2 ranks" in p["subject"] for p in predictions))
        self.assertTrue(all(not p["path"].startswith("custom") for p in predictions), predictions)
        wrong = run("doctor", "--facts", str(path), "--", "python", "train.py")
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(len(wrong.stderr.strip().splitlines()), 1, wrong.stderr)


class Outputs(Box):
    def test_the_first_line_counts_and_the_worst_comes_first(self):
        path = self.folder / "box.facts"
        path.write_text(changed(GOOD, {"gpu.1.recovery_action": "1", "gpu.0.persistence": "no"}), encoding="utf-8")
        text = run("doctor", "--facts", str(path)).stdout
        lines = text.splitlines()
        self.assertRegex(lines[0], r"1 error, 1 hint, \d+ ok, \d+ not known")
        self.assertNotIn("healthy", text.lower())
        self.assertLess(text.index("recovery action"), text.index("persistence mode"))
        self.assertIn("nvidia-smi --gpu-reset -i 1", text)

    def test_junit_has_a_test_for_each_check(self):
        path = self.folder / "box.facts"
        path.write_text(changed(GOOD, {"gpu.1.recovery_action": "1"}), encoding="utf-8")
        text = run("doctor", "--facts", str(path), "--junit", "-").stdout
        self.assertEqual(len(re.findall(r"<failure\b", text)), 1)
        self.assertGreater(len(re.findall(r"<testcase\b", text)), 28)
        self.assertIn("<skipped", text)

    def test_its_own_result_is_facts_again(self):
        first = self.doctor(GOOD)
        path = self.folder / "result.json"
        path.write_text(json.dumps(first), encoding="utf-8")
        again = json.loads(run("doctor", "--facts", str(path), "--json", "-").stdout)
        self.assertEqual(again["doctor"]["outcomes"], first["doctor"]["outcomes"])
        self.assertEqual(again["doctor"]["facts"], first["doctor"]["facts"])

    def test_two_boxes_beside_each_other(self):
        files = []
        for name, changes in (("a", {}), ("b", {"gpu.1.fabric": "in progress"}), ("c", {"driver.peermem": "yes"})):
            path = self.folder / f"{name}.json"
            path.write_text(json.dumps(self.doctor(changed(GOOD, changes))), encoding="utf-8")
            files.append(str(path))
        self.assertEqual(run("compare", files[0], files[0]).returncode, 0)
        bad = run("compare", files[0], files[1])
        self.assertEqual(bad.returncode, 6, bad.stdout)
        self.assertIn("in progress", bad.stdout)
        note = run("compare", files[0], files[2], "--verbose")
        self.assertEqual(note.returncode, 0)
        self.assertIn("driver.peermem", note.stdout)

    def test_bad_facts_are_one_line_and_status_2(self):
        for text in ("", "no sign here\n", "a = 1\na = 2\n", "{\"x\": 1}", "two words = 1\n"):
            path = self.folder / "bad.facts"
            path.write_text(text, encoding="utf-8")
            result = run("doctor", "--facts", str(path))
            self.assertEqual(result.returncode, 2, text)
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)

    def test_this_box_is_looked_at(self):
        result = run("doctor", "--json", "-")
        self.assertIn(result.returncode, (0, 6), result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(document["doctor"]["source"], "this box")
        names = {fact["name"] for fact in document["doctor"]["facts"]}
        self.assertLessEqual({"limit.nofile", "shm.free_bytes", "probe.take_descriptor", "net.host_name", "gpus.count"}, names)

    def test_another_root_says_nothing_of_this_box(self):
        (self.folder / "proc/sys/kernel").mkdir(parents=True)
        (self.folder / "proc/sys/kernel/osrelease").write_text("5.4.0-odd\n", encoding="utf-8")
        document = json.loads(run("doctor", "--host-root", str(self.folder), "--json", "-").stdout)
        facts = {fact["name"]: fact for fact in document["doctor"]["facts"]}
        self.assertEqual(facts["host.kernel"]["value"], "5.4.0-odd")
        self.assertIsNone(facts["shm.free_bytes"]["value"])

    def test_the_page_is_the_list(self):
        checks = json.loads(run("list", "checks", "--json", "-").stdout)["checks"]
        made = HEAD + "".join(f"| `{c['name']}` | {c['summary']}? | {c['severity']} | {c['need']} | {c['cost']} | {c['source']} |\n"
                              for c in checks)
        if os.environ.get("RINGSIDE_REWRITE_GOLDEN"):
            PAGE.write_text(made, encoding="utf-8")
        self.assertEqual(PAGE.read_text(encoding="utf-8"), made)


if __name__ == "__main__":
    unittest.main()
