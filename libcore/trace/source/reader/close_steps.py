"""Steps of the dispatch, which is read more closely than the rest."""

import ast

from messages import message_of, raised_by
from steps import Steps


class DispatchSteps(Steps):
    """ExpertLocationDispatchInfo.init_new: which comes first, the assert or the early return."""

    def check(self, node, guard):
        self.add(node, guard, check=self.translator.condition(node.test), error="AssertionError",
                 message=message_of(node.msg, self.translator))

    def throw(self, node, guard):
        error, message = raised_by(node, self.translator)
        self.add(node, guard, throw=error or "Exception", message=message)

    def leave(self, node, guard):
        self.add(node, guard, leave="nothing to dispatch" if isinstance(node.value, ast.Constant) else "the dispatch table")
