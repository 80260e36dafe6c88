import { isUtf8 } from 'node:buffer'
import { FORBIDDEN_KEY } from '../checks/text-checks.ts'
import { WrittenList } from '../read/written-list.ts'
import { behindSpace, behindValue, startSurvey, type SurveyedMember } from './survey-json.ts'

/**
 * Reads the object in a file, and leaves its lists as they are written. The result is undefined where the text must
 * be inspected: always where JSON.parse would refuse something or lose it silently, and sometimes for a good text.
 */
export function readShallow(bytes: Buffer, maxDepth: number): { [key: string]: unknown } | undefined {
  const text = withoutMark(bytes)
  const start = behindSpace(text, 0)
  if (text[start] !== 0x7b /* { */ || !isUtf8(text) || isPeculiar(text)) return undefined
  const survey = startSurvey(text, maxDepth)
  if (behindSpace(text, behindValue(survey, start)) !== text.length) return undefined
  return Object.fromEntries(survey.members.map((member) => [keyOf(text, member), valueOf(text, member)]))
}

const MARK = '\ufeff'

function withoutMark(bytes: Buffer): Buffer {
  return bytes.toString('utf8', 0, 3) === MARK ? bytes.subarray(3) : bytes
}

function isPeculiar(text: Buffer): boolean {
  return text.includes(MARK) || text.includes(FORBIDDEN_KEY)
}

function keyOf(text: Buffer, { key, colon }: SurveyedMember): string {
  return String(JSON.parse(text.toString('utf8', key, colon)))
}

function valueOf(text: Buffer, { value, end, elements }: SurveyedMember): unknown {
  if (text[value] === 0x5b /* [ */) return new WrittenList(elements, text.subarray(value + 1, end - 1))
  return JSON.parse(text.toString('utf8', value, end))
}
