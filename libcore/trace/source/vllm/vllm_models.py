"""The model classes of a vLLM tree, told from their text: which are a MixtureOfExperts, which have experts without being one.

A class counts as one when it inherits the protocol and something of it sets num_moe_layers: one that never does has none.
"""

import re

REGISTRY = "model_executor/models/registry.py"
FOLDER = "model_executor/models/"
TABLE = re.compile(rb"^(_\w+) = \{(.*?)^\}", re.M | re.S)
ROW = re.compile(rb"\"(\w+)\":\s*\(\s*\"([\w.]+)\",\s*\"(\w+)\",?\s*\)")
TABLES = (b"_TEXT_GENERATION_MODELS", b"_MULTIMODAL_MODELS", b"_SPECULATIVE_DECODING_MODELS", b"_TRANSFORMERS_BACKEND_MODELS",
          b"_TRANSFORMERS_SUPPORTED_MODELS")
CLASS = re.compile(rb"^class\s+(\w+)\s*(?:\[[^\]]*\])?\s*(?:\(([^)]*)\))?\s*:", re.M)
DEFINITION = re.compile(rb"^(?:class|def|async def|@)\s*", re.M)
IMPORT = re.compile(rb"^[ \t]*from\s+(?:vllm\.model_executor\.models)?\.?(\w+)\s+import\s+(\([^)]*\)|[^\n]*)", re.M)
WORD = re.compile(rb"\w+")
PROTOCOL = b"MixtureOfExperts"
EXPERTS = re.compile(rb"\b(?:Shared)?FusedMoE(?:Factory)?(?:\.make_\w+)?\(|\bFusedMoEWithLoRA\(")
SETS_LAYERS = re.compile(rb"\bnum_moe_layers\s*(?::[^=\n]*)?=[^=]")
PASSES = re.compile(rb"\benable_eplb\s*=")
CHOSEN = re.compile(rb"init_vllm_registered_model\(")
NAMED = re.compile(rb"architectures\s*=\s*\[\s*\"(\w+)\"")
SOURCE = re.compile(rb"#[^\n]*")


class Piece:
    """One class of a file: its bases, its text."""

    def __init__(self, path, name, line, bases, text):
        self.path, self.name, self.line, self.bases, self.text = path, name, line, bases, text
        self.words = set(WORD.findall(text))


class Models:
    def __init__(self, tree):
        self.tree = tree
        self._files = {}   # path -> ({class: Piece}, {local name: (path, name)})
        self.registry = {}  # architecture -> (path, class)
        text = SOURCE.sub(b"", tree.read(REGISTRY))
        for table, body in TABLE.findall(text):
            if table in TABLES:
                for name, module, owner in ROW.findall(body):
                    whole = module.startswith(b"vllm.")
                    stem = ("" if whole else FOLDER) + module.decode()[5 if whole else 0:].replace(".", "/")
                    path = stem + ".py" if tree.exists(stem + ".py") else stem + "/__init__.py"
                    self.registry.setdefault(name.decode(), (path, owner))

    def _file(self, path):
        if path not in self._files:
            text = self.tree.read(path)
            starts = list(CLASS.finditer(text))
            ends = [m.start() for m in DEFINITION.finditer(text)] + [len(text)]
            pieces = {}
            for match in starts:
                end = next(e for e in ends if e > match.start())
                bases = [b for b in WORD.findall(match.group(2) or b"") if b[:1].isupper()]
                pieces[match.group(1)] = Piece(path, match.group(1), text.count(b"\n", 0, match.start()) + 1, bases,
                                               text[match.start():end])
            imports = {}
            for module, names in IMPORT.findall(text):
                target = FOLDER + module.decode() + ".py"
                for name, other in re.findall(rb"(\w+)(?:\s+as\s+(\w+))?", SOURCE.sub(b"", names)):
                    imports[other or name] = (target, name)
            self._files[path] = pieces, imports
        return self._files[path]

    def piece(self, path, name, depth=0):
        pieces, imports = self._file(path)
        if name in pieces:
            return pieces[name]
        if name in imports and depth < 5:
            return self.piece(*imports[name], depth + 1)
        return None

    def lineage(self, piece):
        """The class and its bases, as far as they are of the models."""
        found, pending = [], [piece]
        while pending:
            current = pending.pop()
            if current is None or current in found:
                continue
            found.append(current)
            pending += [self.piece(current.path, base) for base in current.bases]
        return found

    def reached(self, piece):
        """The classes that a class makes, directly or through others, and its bases."""
        found, pending = [], [piece]
        while pending:
            current = pending.pop()
            if current is None or current in found:
                continue
            found.append(current)
            pieces, imports = self._file(current.path)
            pending += [self.piece(current.path, word) for word in current.words if word in pieces or
                        word in imports and word[:1].isupper()]
        return found

    def judge(self, architecture, depth=0):
        """{what: value} of an architecture: at, protocol, experts, passes (enable_eplb to its layers), inner, chosen."""
        path, name = self.registry[architecture]
        piece = self.piece(path, name)
        row = {"at": (path, 0), "protocol": False, "experts": False, "passes": False, "inner": None, "chosen": False}
        if piece is None:
            row["unread"] = True
            return row
        row["at"] = (piece.path, piece.line)
        lineage = self.lineage(piece)
        inherits = any(PROTOCOL in base or base.endswith(PROTOCOL) for p in lineage for base in p.bases)
        row["protocol"] = inherits and any(SETS_LAYERS.search(p.text) for p in lineage if p.name != PROTOCOL)
        reached = self.reached(piece)
        with_experts = [p for p in reached if EXPERTS.search(p.text)]
        row["experts"] = bool(with_experts)
        row["passes"] = any(PASSES.search(p.text) for p in with_experts)
        row["chosen"] = any(CHOSEN.search(p.text) for p in lineage)
        named = [m.decode() for p in lineage for m in NAMED.findall(p.text)]
        if row["chosen"] and named and depth < 3:
            inner = [self.judge(n, depth + 1) for n in named if n in self.registry]
            if "Moe" in architecture and len(inner) > 1:
                inner = [i for i in inner if i["experts"]]
            if inner and all(i["protocol"] == inner[0]["protocol"] for i in inner):
                row["inner"] = inner[0]
                row["chosen"] = False
        return row
