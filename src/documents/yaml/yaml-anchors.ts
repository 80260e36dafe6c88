import type { AliasEvent, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import { CHARACTERS_OF_VALUE, copyAliased } from './yaml-aliases.ts'
import { find, findValue, reportDepth, type Anchored, type YamlBuild } from './yaml-build.ts'

/** The anchor of a collection that is still being read. An alias to it would be recursive. */
export const OPEN = Symbol('open')

/** Stores the value of an anchor. `firstNumber` is the number of long numbers before it. */
export function anchored(
  build: YamlBuild,
  { anchorStart, anchorEnd }: ScalarEvent | SequenceEvent | MappingEvent,
  value: unknown,
  firstNumber: number,
): unknown {
  const { text, anchors, path, found } = build
  if (anchorStart < 0) return value
  const numbers = { firstNumber, endOfNumbers: found.longNumbers.length }
  anchors.set(text.slice(anchorStart, anchorEnd), { value, path: [...path], ...numbers })
  return value
}

export function readAlias(build: YamlBuild, { anchorStart, anchorEnd }: AliasEvent): unknown {
  const name = build.text.slice(anchorStart, anchorEnd)
  const offset = anchorStart - 1
  const marked = build.anchors.get(name)
  if (marked === undefined) {
    const message = `nothing above is marked &${name}; put quotes around a text that begins with *.`
    findValue(build, 'unknown-alias', message, offset)
    return null
  }
  if (marked.value === OPEN) {
    const message = `*${name} is inside the value that it refers to; write the value out.`
    findValue(build, 'recursive-alias', message, offset)
    return null
  }
  const copy = copyAliased(marked.value, build.aliases, build.maxDepth - build.depth)
  if (typeof copy === 'object') {
    repeatLongNumbers(build, marked, offset)
    return copy.value
  }
  reportAlias(build, copy, offset)
  return null
}

/** Repeats the long numbers of an anchor for its alias, because the field of the alias may keep other digits. */
function repeatLongNumbers(
  { found, document, path }: YamlBuild,
  { path: from, firstNumber, endOfNumbers }: Anchored,
  offset: number,
): void {
  for (const { literal, value } of found.longNumbers.slice(firstNumber, endOfNumbers)) {
    const copied = [...path, ...value.path.slice(from.length)]
    found.addLong({ literal, offset, value: { document, path: copied } })
  }
}

function reportAlias(build: YamlBuild, problem: 'too-many' | 'too-deep', offset: number): void {
  const { found, aliases } = build
  if (problem === 'too-deep') return reportDepth(build, offset)
  // After the limit is reached, every further alias exceeds it.
  if (found.findings.some(({ code }) => code === 'too-many-aliases')) return
  const message = `aliases repeat more than ${aliases.limit} values, which is the limit (${CHARACTERS_OF_VALUE} characters of a text count as one); write fewer aliases.`
  find(build, 'too-many-aliases', message, offset)
}
