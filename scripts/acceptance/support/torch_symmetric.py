"""PyTorch's allreduces on symmetric memory, timed on ringside's terms: one process for each of two GPUs, bf16, a graph of
122 calls, slowest rank, median. `torch_symmetric.py BYTES...` prints one line of JSON:
{"version": "2.11.0", "us": {"one_shot": {"2048": 6.1}}}. Needs a python3 that has torch."""

import json
import os
import socket
import statistics
import sys

CALLS = 122
REPLAYS = 4  # in one sample, so that a graph's start is a small part of it
SAMPLES = 15


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(rank: int, port: int, sizes: list[int]) -> None:
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symmetric_memory

    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2,
                            device_id=torch.device("cuda", rank))
    group = dist.group.WORLD.group_name
    times: dict[str, dict[str, float]] = {}
    for size in sizes:
        message = symmetric_memory.empty(size // 2, dtype=torch.bfloat16, device=f"cuda:{rank}")
        handle = symmetric_memory.rendezvous(message, group)
        output = torch.empty_like(message)
        ways = {
            "one_shot": lambda: torch.ops.symm_mem.one_shot_all_reduce_out(message, "sum", group, output),
            "two_shot": lambda: torch.ops.symm_mem.two_shot_all_reduce_(message, "sum", group),
        }
        for name, call in ways.items():
            message.fill_(rank + 1)
            handle.barrier()
            call()
            result = output if name == "one_shot" else message
            if not bool((result == 3).all()):
                raise SystemExit(f"{name} at {size} bytes gave a wrong sum")
            message.zero_()
            graph = torch.cuda.CUDAGraph()
            torch.cuda.synchronize()
            with torch.cuda.graph(graph):
                for _ in range(CALLS):
                    call()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            samples = []
            for sample in range(SAMPLES + 2):
                torch.cuda.synchronize()
                dist.barrier()
                handle.barrier()
                begin.record()
                for _ in range(REPLAYS):
                    graph.replay()
                end.record()
                torch.cuda.synchronize()
                slowest = torch.tensor([begin.elapsed_time(end)], device=f"cuda:{rank}")
                dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
                if sample >= 2:
                    samples.append(float(slowest) * 1e3 / (REPLAYS * CALLS))
            times.setdefault(name, {})[str(size)] = statistics.median(samples)
            del graph
    if rank == 0:
        print(json.dumps({"version": torch.__version__, "us": times}), flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    import torch.multiprocessing

    # Multicast needs a switch that is not everywhere allowed to use it; these two ways don't.
    os.environ.setdefault("TORCH_SYMM_MEM_DISABLE_MULTICAST", "1")
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
    torch.multiprocessing.spawn(measure, args=(free_port(), [int(size) for size in sys.argv[1:]]), nprocs=2)
