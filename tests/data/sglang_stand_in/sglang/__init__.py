"""A package of the shape of SGLang as far as the live hook goes: spawned schedulers, one global, one dispatch."""
