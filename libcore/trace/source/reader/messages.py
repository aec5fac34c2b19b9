"""What an exception says."""

import ast

from syntax import call_name, dotted


def message_of(node, translator):
    """The text of a message, with {name} where a value that is known by name is filled in."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
            else:
                name = translator.condition(value.value)
                parts.append("{%s}" % name if name.replace(".", "").replace("_", "").isalnum() else "...")
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return message_of(node.left, translator) + message_of(node.right, translator)
    return ""


def raised_by(node, translator):
    """(type, message) of a raise."""
    raised = node.exc
    if isinstance(raised, ast.Call):
        return call_name(raised), message_of(raised.args[0] if raised.args else None, translator)
    return (dotted(raised) or [""])[-1] if raised is not None else "", ""
