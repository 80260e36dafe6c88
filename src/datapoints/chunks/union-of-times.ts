/** The times that are in one of two ascending columns or in both, each of them once. */
export function unionOfTimes(one: Float64Array, other: Float64Array): Float64Array {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const union = new Float64Array(one.length + other.length)
  let [left, right, count] = [0, 0, 0]
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left]!, other[right]!]
    union[count++] = a <= b ? a : b
    if (a <= b) left++
    if (b <= a) right++
  }
  const rest = left < one.length ? one.subarray(left) : other.subarray(right)
  union.set(rest, count)
  return union.subarray(0, count + rest.length)
}
