// A library that is NCCL as far as its loader looks, for tests: version 2.26.5, without windows and device
// communicators, as that version was.
#include <cstddef>

extern "C" {

int ncclGetVersion(int* version) {
  *version = 22605;
  return 0;
}
const char* ncclGetErrorString(int result) {
  return result == 5 ? "invalid usage" : "some error";
}
const char* ncclGetLastError(void*) {
  return "\nno algorithm/protocol available \n";
}
int ncclGetUniqueId(void*) {
  return 0;
}
int ncclCommInitRank(void**, int, int, int) {
  return 0;
}
int ncclCommInitRankConfig(void**, int, int, int, void*) {
  return 0;
}
int ncclCommDestroy(void*) {
  return 0;
}
int ncclCommAbort(void*) {
  return 0;
}
int ncclCommGetAsyncError(void*, int*) {
  return 0;
}
int ncclGroupStart() {
  return 0;
}
int ncclGroupEnd() {
  return 0;
}
int ncclSend(const void*, std::size_t, int, int, void*, void*) {
  return 0;
}
int ncclRecv(void*, std::size_t, int, int, void*, void*) {
  return 0;
}
int ncclAllReduce(const void*, void*, std::size_t, int, int, void*, void*) {
  return 5;
}
}
