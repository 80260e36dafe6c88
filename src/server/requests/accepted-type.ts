import { HttpError } from './error-response.ts'

interface Range {
  readonly type: string
  readonly quality: number
}

/** The media type that the client prefers (RFC 9110, section 12.5.1); the first one if the client names none. */
export function acceptedType<Type extends string>(accept: string | undefined, types: readonly [Type, ...Type[]]): Type {
  const ranges = (accept?.trim() || '*/*').split(',').map(readRange)
  const liked = types
    .map((type) => ({ type, quality: qualityOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const [best] = liked
  if (best !== undefined) return best.type
  throw new HttpError(
    'BAD_USER_INPUT',
    406,
    'Not acceptable',
    `the answer can be ${types.join(', ')}; accept one of them`,
  )
}

/** The content coding that the client prefers (RFC 9110, section 12.5.3), or the first of `codings`; null for none. */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | null {
  if (header === undefined) return null
  const ranges = header.split(',').map(readRange)
  const qualityOfCoding = (coding: string): number | undefined =>
    (ranges.find(({ type }) => type === coding) ?? ranges.find(({ type }) => type === '*'))?.quality
  const [best] = codings
    .map((coding) => ({ coding, quality: qualityOfCoding(coding) ?? 0 }))
    .sort((a, b) => b.quality - a.quality)
  if (best === undefined || best.quality <= 0) return null
  const plain = ranges.find(({ type }) => type === 'identity')?.quality ?? 0
  return best.quality >= plain ? best.coding : null
}

/** Tells whether a client takes an answer of this media type. */
export function accepts(accept: string, type: string): boolean {
  return qualityOf(type, accept.split(',').map(readRange)) > 0
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
}

/**
 * The quality of a type by the most specific range. This is the range of the type itself, of its kind, or of all types.
 */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((one) => one.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
