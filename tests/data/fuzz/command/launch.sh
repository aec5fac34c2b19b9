TP=8
ARGS=(--ep-size 2)
NCCL_DEBUG=INFO python -m sglang.launch_server \
 --tp $TP "${ARGS[@]}" --moe-a2a-backend=deepep | tee x
