import type { LineAndColumn } from '../checks/finding.ts'
import { columnOf, skipSpace, skipValue, startScan, type JsonScan } from './json-scan.ts'
import type { Wanted } from '../wanted.ts'

const UTF8 = new TextDecoder('utf-8')
const OBJECT = 0x7b
const ARRAY = 0x5b
const COMMA = 0x2c

/** Finds the places of a wanted tree in the bytes of a valid JSON text: of members the key, of elements the first token. */
export function locateInJson(bytes: Uint8Array, wanted: Wanted<LineAndColumn>): void {
  const scan = startScan(bytes)
  skipSpace(scan)
  wanted.place = placeHere(scan)
  findInside(scan, wanted)
}

function placeHere(scan: JsonScan): LineAndColumn {
  return { line: scan.line, column: columnOf(scan) }
}

/** Passes one value, looking for wanted places inside it. */
function findInside(scan: JsonScan, wanted: Wanted<LineAndColumn> | undefined): void {
  const opening = scan.bytes[scan.at]
  if (wanted === undefined || wanted.children.size === 0) skipValue(scan)
  else if (opening === OBJECT) findMembers(scan, wanted)
  else if (opening === ARRAY) findElements(scan, wanted)
  else skipValue(scan)
}

function findMembers(scan: JsonScan, wanted: Wanted<LineAndColumn>): void {
  forEachEntry(scan, () => {
    const place = placeHere(scan)
    const child = wanted.children.get(passKey(scan))
    if (child !== undefined) child.place = place
    findInside(scan, child)
  })
}

/** Returns the key and stops at the value. */
function passKey(scan: JsonScan): string {
  const start = scan.at
  skipValue(scan)
  const key = UTF8.decode(scan.bytes.subarray(start, scan.at))
  skipSpace(scan)
  scan.at++
  skipSpace(scan)
  return JSON.parse(key) as string
}

function findElements(scan: JsonScan, wanted: Wanted<LineAndColumn>): void {
  const indices = [...wanted.children.keys()]
    .filter((part) => /^(?:0|[1-9]\d*)$/.test(part))
    .map(Number)
    .sort((a, b) => a - b)
  let index = 0
  let next = 0
  forEachEntry(scan, () => {
    if (index++ !== indices[next]) return skipValue(scan)
    const child = wanted.children.get(String(indices[next++]))
    if (child !== undefined) child.place = placeHere(scan)
    findInside(scan, child)
  })
}

/** Calls `pass` at the start of each entry of an object or array; `pass` moves behind the entry. */
function forEachEntry(scan: JsonScan, pass: () => void): void {
  scan.at++
  skipSpace(scan)
  if (isClosing(scan)) {
    scan.at++
    return
  }
  do {
    skipSpace(scan)
    pass()
    skipSpace(scan)
  } while (scan.bytes[scan.at++] === COMMA)
}

function isClosing({ bytes, at }: JsonScan): boolean {
  return bytes[at] === 0x7d || bytes[at] === 0x5d
}
