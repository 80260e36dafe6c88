// A transform predicts each number of a column from the others, and leaves the residuals. All numbers are exact: the
// numbers of a column are at most 2^50, and a difference of differences is at most 2^52.

/** The largest absolute value of a number in a column. */
export const MOST_WHOLE = 2 ** 50

/** Predictions: none, the previous number, the previous difference, or a line from the first to the last number. */
export const TRANSFORMS = ['none', 'difference', 'second difference', 'line'] as const
export type Transform = (typeof TRANSFORMS)[number]

/**
 * The number of numbers at the beginning of a column that are written without a prediction, because the prediction
 * starts from them.
 */
export const HEADS: { readonly [transform in Transform]: 0 | 1 | 2 } = {
  none: 0,
  difference: 1,
  'second difference': 2,
  line: 2,
}

/** Fills `rests` with the residuals. Its length is the length of the column minus the heads of the transform. */
export function foretell(numbers: Float64Array, transform: Transform, rests: Float64Array): void {
  if (transform === 'none') rests.set(numbers)
  else if (transform === 'difference') differences(numbers, rests)
  else if (transform === 'second difference') secondDifferences(numbers, rests)
  else distances(numbers, rests)
}

function differences(numbers: Float64Array, rests: Float64Array): void {
  for (let index = 0; index < rests.length; index++) rests[index] = numbers[index + 1]! - numbers[index]!
}

function secondDifferences(numbers: Float64Array, rests: Float64Array): void {
  for (let index = 0; index < rests.length; index++)
    rests[index] = numbers[index + 2]! - numbers[index + 1]! - (numbers[index + 1]! - numbers[index]!)
}

function distances(numbers: Float64Array, rests: Float64Array): void {
  const first = numbers[0]!
  const step = (numbers[numbers.length - 1]! - first) / (numbers.length - 1)
  for (let index = 0; index < rests.length; index++)
    rests[index] = numbers[index + 1]! - first - Math.round((index + 1) * step)
}

/** Turns residuals back into numbers, in place. Heads come first. The second head of a line is its last number. */
export function restore(numbers: Float64Array, transform: Transform): void {
  if (transform === 'difference') addUp(numbers)
  else if (transform === 'second difference') addUpTwice(numbers)
  else if (transform === 'line') addToLine(numbers)
}

function addUp(numbers: Float64Array): void {
  let last = numbers[0]!
  for (let index = 1; index < numbers.length; index++) numbers[index] = last += numbers[index]!
}

function addUpTwice(numbers: Float64Array): void {
  let last = numbers[1]!
  let step = last - numbers[0]!
  for (let index = 2; index < numbers.length; index++) {
    step += numbers[index]!
    numbers[index] = last += step
  }
}

function addToLine(numbers: Float64Array): void {
  const { length } = numbers
  const [first, last] = [numbers[0]!, numbers[1]!]
  const step = (last - first) / (length - 1)
  for (let index = 1; index < length - 1; index++)
    numbers[index] = first + Math.round(index * step) + numbers[index + 1]!
  numbers[length - 1] = last
}
