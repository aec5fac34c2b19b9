"""Python expressions of the tree as conditions over the server's flags, the model's facts and the environment.

The result is text in ringside's condition language. What can't be read becomes unknown("the source text"): the
evaluator then says so and guesses nothing.
"""

import ast

from functions import item_of, members_of, plain_call
from formulas import atom, choice, conjunction, disjunction, literal, negation, one_of, quote, unknown
from syntax import call_name, defaults, dotted, import_targets

# Local names that mean the same thing wherever they stand.
PARAMETERS = {
    "is_draft_worker": "worker.draft",
    "is_nextn": "worker.nextn",
    "tp_rank": "rank.tp",
    "pp_rank": "rank.pp",
    "moe_ep_rank": "rank.ep",
    "moe_ep_size": "args.ep_size",
    "expert_location_metadata": "state.expert_location_metadata",
    "_global_expert_location_metadata": "state.expert_location_metadata",
    "is_generation": "not (args.is_embedding)",
    "forward_mode": "forward.mode",
    "num_tokens": "forward.tokens",
}
METADATA = "state.expert_location_metadata"
HARDWARE = {"is_cuda", "is_hip", "is_npu", "is_xpu", "is_hpu", "is_cpu", "is_musa", "is_sm90_supported",
            "is_sm100_supported", "is_sm100_or_sm110_supported", "is_hopper_with_cuda_12_3", "is_sm120_supported", "is_blackwell_supported", "is_blackwell"}
ARGS_OWNERS = set("server_args get_global_server_args() get_server_args() resolved_view() _resolved_view() _resolved() view "
                  "global_server_args".split())
COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in",
           ast.Is: "is", ast.IsNot: "is not"}
ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
READABLE = ("layers/moe/", "speculative/", "eplb/", "model_executor/runner", "configs/model_config.py")
MAX_DEPTH, MAX_TEXT = 12, 2000


def defaults_of(function):
    """{parameter: literal} of the switches among the parameters, which have True or False as default."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    return {name: literal(value) for name, value in defaults(function).items() if isinstance(value, bool) and name not in PARAMETERS}


class Translator:
    """Translates expressions as they stand in one function: `locals` maps local names to conditions already read."""

    def __init__(self, tree, facts, module, owner=None, function=None, bindings=None):
        self.tree, self.facts, self.module, self.owner, self.function = tree, facts, module, owner, function
        self.bindings = bindings if bindings is not None else defaults_of(function)
        self.locals = {}
        self.configs = set()  # parameters that are the model's config
        self.depth = 0

    def condition(self, node):
        text = self._translate(node)
        return text if text is not None and len(text) <= MAX_TEXT else unknown(node)

    def parts(self, node, count):
        """Conditions of the members of a tuple or list, each None where it can't be read."""
        found = members_of(self.condition(node))
        return found if len(found) == count else [None] * count

    def _translate(self, node):
        if self.depth > MAX_DEPTH:
            return None
        self.depth += 1
        try:
            handler = getattr(self, "_" + type(node).__name__.lower(), None)
            return handler(node) if handler else None
        finally:
            self.depth -= 1

    def _constant(self, node):
        return literal(node.value)

    def _joinedstr(self, node):
        return None

    def _namedexpr(self, node):
        self.locals[node.target.id] = self.condition(node.value)
        return self.locals[node.target.id]

    def _list(self, node):
        return "[" + ", ".join(self.condition(e) for e in node.elts) + "]"

    _tuple = _set = _list

    def _boolop(self, node):
        parts = [self.condition(v) for v in node.values]
        return conjunction(parts) if isinstance(node.op, ast.And) else disjunction(parts)

    def _unaryop(self, node):
        if isinstance(node.op, ast.Not):
            return negation(self.condition(node.operand))
        return "-" + self._operand(node.operand) if isinstance(node.op, ast.USub) else None

    def _ifexp(self, node):
        test = self.condition(node.test)
        if test in ("True", "False"):
            return self.condition(node.body if test == "True" else node.orelse)
        return "(%s) if (%s) else (%s)" % (self.condition(node.body), test, self.condition(node.orelse))

    def _binop(self, node):
        word = ARITHMETIC.get(type(node.op))
        return word and "%s %s %s" % (self._operand(node.left), word, self._operand(node.right))

    def _compare(self, node):
        parts, left = [], node.left
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and \
                dotted(left)[-1:] == ["architectures"] and self._is_model_config(dotted(left)[:-1]):
            return "model.architecture %s %s" % (COMPARE[type(node.ops[0])], self.condition(node.comparators[0]))
        for operator, right in zip(node.ops, node.comparators):
            if self._is_token_count(left):
                return "forward.tokens %s %s" % (COMPARE[type(operator)], self.condition(right))
            parts.append("%s %s %s" % (self._operand(left), COMPARE[type(operator)], self._operand(right)))
            left = right
        return " and ".join(parts)

    def _operand(self, node):
        return atom(self.condition(node))

    @staticmethod
    def _is_token_count(node):
        return isinstance(node, ast.Subscript) and dotted(node.value)[-1:] == ["shape"] and \
            isinstance(node.slice, ast.Constant) and node.slice.value == 0

    def _name(self, node):
        if node.id in self.locals:
            return self.locals[node.id]
        if node.id in PARAMETERS:
            return PARAMETERS[node.id]
        if node.id.startswith("_") and node.id[1:] in HARDWARE:
            return "gpu." + node.id[1:]
        if self.bindings is not None and node.id in self.bindings:
            return self.bindings[node.id]
        if node.id in self.facts.fields:  # a parameter that carries a server argument under its own name
            return "args." + node.id if self._is_parameter(node.id) else None
        return self._module_constant(self.module, node.id)

    def _is_parameter(self, name):
        if self.function is None:
            return False
        arguments = self.function.args
        return any(a.arg == name for a in arguments.args + arguments.kwonlyargs)

    def _module_constant(self, module, name, hops=0):
        if module is None or hops > 3 or hops and not name.isupper():
            return None
        if name in module.variables:
            return None
        if name in module.constants:
            value = module.constants[name]
            if isinstance(value, ast.Call) and call_name(value) in ("frozenset", "set", "tuple", "list") and value.args:
                value = value.args[0]
            if not hops and name.startswith("_") and isinstance(value, (ast.BoolOp, ast.Call, ast.UnaryOp)):
                text = Translator(self.tree, self.facts, module).condition(value)
                return None if "unknown(" in text else text
            if isinstance(value, (ast.List, ast.Tuple, ast.Set)) and all(isinstance(e, ast.Constant) for e in value.elts):
                return self._list(value)
            return literal(value.value) if isinstance(value, ast.Constant) else None
        if name in module.imports and name.isupper():
            path, original = module.imports[name]
            return self._module_constant(self.tree.module(path), original, hops + 1)
        return None

    def _attribute(self, node):
        chain = dotted(node)
        if not chain:
            return None
        special = self.facts.special(chain)
        if special is not None:
            return special
        if len(chain) > 1 and chain[-2] in ARGS_OWNERS:
            return "args." + chain[-1] if self.facts.is_field(chain[-1]) else None
        if chain[-1] in ("expert_location_metadata",) and len(chain) > 1:
            return METADATA
        if len(chain) > 1 and chain[-2] in ("ps", "parallel_state") and (chain[-1] in PARAMETERS or self.facts.is_field(chain[-1])):
            return PARAMETERS.get(chain[-1], "args." + chain[-1])
        if len(chain) > 1 and chain[-2] in ("hf_config", "hf_text_config"):
            return "model." + chain[-1]
        if len(chain) == 2 and chain[0][:1].isupper():
            return self._member(chain[0], chain[1])
        if chain == ["self", "draft_worker"]:
            return "args.speculative_algorithm"  # there is one when there is an algorithm
        if chain[0] == "self" and len(chain) == 2:
            return self._own_attribute(chain[1])
        if chain[-1] in PARAMETERS and "model_runner" in chain:
            return PARAMETERS[chain[-1]]
        if len(chain) > 1 and chain[-2] == "model_runner":
            return self.facts.runner_attribute(self, chain[-1])
        return None

    def _member(self, class_name, name):
        """A constant of a class, such as a member of an Enum."""
        _, node = self.tree.resolve(self.module, class_name)
        for statement in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant) and \
                    dotted(statement.targets[0]) == [name]:
                return literal(statement.value.value)
        return None

    def _subscript(self, node):
        chain = dotted(node.value)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if chain[-1:] == ["architectures"] and key == 0:
            return "model.architecture"
        if chain[-1:] == ["global_server_args_dict"] and isinstance(key, str):
            return "args." + key if self.facts.is_field(key) else None
        return item_of(self, node)

    def _own_attribute(self, name):
        if self.owner is not None and self.owner.is_server_args:
            known = self.facts.own_field(self.owner.name, name)
            if known is not None:
                return known
            return self.owner.attribute(name) if self.owner.is_property(name) else None
        if name in PARAMETERS:
            return PARAMETERS[name]
        return self.owner.attribute(name) if self.owner is not None else None

    def _call(self, node):
        chain = dotted(node.func)
        name = call_name(node)
        if chain[-1:] == ["lower"] and isinstance(node.func, ast.Attribute):
            return self.condition(node.func.value)
        if chain and chain[0] == "envs" and len(chain) == 3:
            self.facts.environment.add(chain[1])
            return {"get": "env." + chain[1], "is_set": "env_set." + chain[1]}.get(chain[2])
        if name in ("get_bool_env_var", "get_int_env_var", "getenv") or chain[-3:] == ["os", "environ", "get"]:
            return self._environment(node)
        if name == "hasattr" and len(node.args) == 2:
            return self._hasattr(node.args[0], node.args[1])
        if name == "getattr" and len(node.args) == 3 and isinstance(node.args[2], ast.Constant):
            return self._getattr(*node.args)
        plain = plain_call(self, node)
        if plain is not None:
            return plain
        if name == "any" and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._any(node.args[0])
        if name == "parse_connector_type" and len(node.args) == 1:
            return self._connector_type(node)
        if name in HARDWARE and not node.args:
            return "gpu." + name
        special = self.facts.special(chain + ["()"])
        if special is not None:
            return special
        if name == "should_use_mega_moe":  # the first batches fit its buffer
            return self.facts.a2a_test("is_megamoe")
        if name == "get_global_expert_location_metadata":
            return METADATA
        if chain == ["forward_mode", "is_idle"] or chain[-2:] == ["forward_mode", "is_idle"]:
            return "forward.tokens == 0"
        if not node.args and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Subscript):
            return self._argument_test(node.func.value, node.func.attr)
        if name == "len" or not chain:
            return None
        if len(chain) > 1 and not node.args:
            test = self._enumeration(chain)
            if test is not None:
                return test
        if name == "bool" and len(node.args) == 1:
            return self.condition(node.args[0])
        return self._inline(node, chain)

    def _environment(self, node):
        if not node.args or not isinstance(node.args[0], ast.Constant) or not isinstance(node.args[0].value, str):
            return None
        variable = node.args[0].value
        self.facts.environment.add(variable)
        if call_name(node) in ("get", "getenv") and len(node.args) == 1:
            return '(env.%s if env_set.%s else None)' % (variable, variable)
        return "env." + variable

    def _hasattr(self, subject, name):
        if not isinstance(name, ast.Constant):
            key = self.locals.get(name.id) if isinstance(name, ast.Name) else None
            key = key.strip('"') if key and key.startswith('"') else None
        else:
            key = name.value
        chain = dotted(subject)
        if not key or not isinstance(key, str) or not chain:
            return None
        if chain[-1] == "model":
            return "class.%s" % key if key in self.facts.CLASS_METHODS else None
        if "config" in chain[-1]:
            return "model.%s is not None" % key
        return None

    def _getattr(self, subject, name, otherwise):
        """A fact of the model that its config may lack: absent is None in conditions, so no other default is read."""
        key = name.value if isinstance(name, ast.Constant) else None
        if isinstance(key, str) and self._is_server_args(dotted(subject)) and self.facts.is_field(key):
            return "args." + key
        if otherwise.value is not None or not isinstance(key, str) or not key.isidentifier() or key == "architectures":
            return None
        return "model." + key if self._is_model_config(dotted(subject)) else None

    def _is_server_args(self, chain):
        return len(chain) == 1 and (chain[0] in ARGS_OWNERS or
                                    chain == ["self"] and self.owner is not None and self.owner.is_server_args)

    def _is_model_config(self, chain):
        """Whether it is the target model's own config, by its usual names or as what was handed on as a parameter."""
        return chain[-1:] in (["hf_config"], ["hf_text_config"]) or len(chain) == 1 and chain[0] in self.configs

    def _connector_type(self, node):
        """What stands before "://" in an address; a path has none."""
        address = self._operand(node.args[0])
        return '("instance") if ("instance://" in %s) else ((%s) if ("://" in %s) else (""))' % (address, unknown(node), address)

    def _any(self, generator):
        loop = generator.generators[0]
        items = loop.iter
        if isinstance(items, ast.Name) and items.id in self.locals:
            items = ast.parse(self.locals[items.id], mode="eval").body
        if not isinstance(items, (ast.List, ast.Tuple, ast.Set)) or not isinstance(loop.target, ast.Name):
            return None
        parts = []
        for item in items.elts:
            value = self.condition(item)
            saved = self.locals.get(loop.target.id)
            self.locals[loop.target.id] = value
            parts.append(self.condition(generator.elt))
            if saved is None:
                del self.locals[loop.target.id]
            else:
                self.locals[loop.target.id] = saved
        return disjunction(parts)

    def _argument_test(self, subscript, test):
        """global_server_args_dict["moe_a2a_backend"].is_x(), where the dictionary holds the member itself."""
        subject = self._subscript(subscript)
        values = self.facts.a2a.tests.get(test) if subject == "args.moe_a2a_backend" else None
        return None if values is None else subject + one_of(values)

    def _enumeration(self, chain):
        owner, test = chain[-2], chain[-1]
        if "moe_a2a_backend" in owner or owner == "a2a_backend":
            values = self.facts.a2a.tests.get(test)
            subject = "state.moe_a2a_backend"
        elif owner == "spec_algorithm":
            values = self.facts.speculative.tests.get(test)
            subject = "args.speculative_algorithm"
        else:
            return None
        if values is None:
            return subject if owner == "spec_algorithm" and test in self.facts.speculative.makers else None
        return subject + one_of(values)

    def _inline(self, node, chain):
        """A call of a function or own method that only returns an expression."""
        module, owner, function = self.module, None, None
        if len(chain) == 1 and not self._worth_reading(chain[0]):
            return None
        if chain[0] == "self" and len(chain) == 2 and self.owner is not None:
            module, function = self.owner.method(chain[1])
            owner = self.owner
        elif len(chain) == 1:
            module, function = self.tree.resolve(self.module, chain[0])
        if not isinstance(function, ast.FunctionDef) or module is None:
            return None
        inner = Translator(self.tree, self.facts, module, owner, function)
        inner.depth = self.depth + 1
        names = [a.arg for a in function.args.posonlyargs + function.args.args][1 if chain[0] == "self" else 0:]
        given = [*zip(names, node.args), *((k.arg, k.value) for k in node.keywords)]
        inner.configs = {name for name, value in given if self._is_model_config(dotted(value))}
        return inner._returned(function.body)

    def _worth_reading(self, name):
        """Whether the file that defines `name` may be parsed for the sake of one condition."""
        path = self.module.imports.get(name, (self.module.path,))[0]
        return self.tree.parsed(path) or path.startswith(READABLE) \
            or name.startswith(("require_", "is_non_idle", "use_"))

    def _returned(self, body):
        """The value of a body made of assignments to locals, `if ...: return x` and a final return; else None."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Return) and statement.value is not None:
                return self._translate(statement.value)
            if isinstance(statement, ast.ImportFrom):
                for name, target in import_targets(statement).items():
                    self.module.imports.setdefault(name, target)
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.locals[statement.targets[0].id] = self.condition(statement.value)
            elif isinstance(statement, ast.If) and not statement.orelse:
                value, rest = self._returned(statement.body), self._returned(body[position + 1:])
                test = self.condition(statement.test)
                return choice(test, value or unknown(statement.test), rest or "unknown(%s)" % quote(ast.unparse(statement.test)[:60]))
            elif not isinstance(statement, (ast.Expr, ast.Import)):
                return None
        return None
