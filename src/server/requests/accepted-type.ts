import { HttpError } from './error-response.ts'

interface Range {
  readonly type: string
  readonly quality: number
}

/** The media type that the client prefers (RFC 9110, section 12.5.1); the first one where it says nothing. */
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

/** Tells whether a client takes an answer of this media type, or in this coding. */
export function accepts(accept: string, type: string): boolean {
  return qualityOf(type, accept.split(',').map(readRange)) > 0
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
}

/** The quality of a type by the most specific range: that of the type itself, of its kind, or of all types. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((one) => one.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
