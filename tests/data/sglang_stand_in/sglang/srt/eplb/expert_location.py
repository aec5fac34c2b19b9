"""The global of each scheduler process."""

_metadata = None


class ExpertLocationMetadata:
    """What a model class with the hook gives."""


def set_global_expert_location_metadata(value):
    global _metadata
    assert _metadata is None
    _metadata = value


def get_global_expert_location_metadata():
    return _metadata
