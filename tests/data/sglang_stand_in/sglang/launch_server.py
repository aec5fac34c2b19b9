"""Spawns a scheduler for each rank; dies with status 1 when one of them does."""

import argparse
import multiprocessing
import sys
import traceback

from sglang.srt.eplb.expert_location import ExpertLocationMetadata, set_global_expert_location_metadata


class ModelRunner:
    def __init__(self, tp_rank, is_draft_worker, metadata):
        self.tp_rank, self.is_draft_worker = tp_rank, is_draft_worker
        if not is_draft_worker:
            set_global_expert_location_metadata(metadata)

    def forward(self):
        from sglang.srt.eplb.expert_location_dispatch import ExpertLocationDispatchInfo
        ExpertLocationDispatchInfo.init_new(1)


def run_scheduler(tp_rank, hook):
    try:
        target = ModelRunner(tp_rank, False, ExpertLocationMetadata() if hook else None)
        target.forward()
        ModelRunner(tp_rank, True, None).forward()
    except Exception:
        print(f"[2026-02-20 10:00:00 TP{tp_rank} EP{tp_rank}] Scheduler hit an exception: {traceback.format_exc()}", flush=True)
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tp", type=int, default=2)
    parser.add_argument("--hook", action="store_true")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    schedulers = [context.Process(target=run_scheduler, args=(rank, options.hook)) for rank in range(options.tp)]
    for scheduler in schedulers:
        scheduler.start()
    for scheduler in schedulers:
        scheduler.join()
    if any(scheduler.exitcode for scheduler in schedulers):
        sys.exit(1)
    print("The server is fired up and ready to roll!", flush=True)


if __name__ == "__main__":
    main()
