import type { Event } from 'js-yaml'
import { FoundInText } from '../found-in-text.ts'
import { tooDeepMessage } from '../checks/text-checks.ts'
import type { AliasBudget } from './yaml-aliases.ts'

/** The value and the path that an anchor marks. */
export interface Anchored {
  readonly value: unknown
  readonly path: readonly string[]
  /** The range of the anchor's long numbers in the list of all long numbers. */
  readonly firstNumber: number
  readonly endOfNumbers: number
}

/** The state of building values from the events of the parser. */
export interface YamlBuild {
  readonly text: string
  readonly events: readonly Event[]
  readonly maxDepth: number
  readonly aliases: AliasBudget
  readonly found: FoundInText
  /** Whether to check texts for characters that PostgreSQL cannot store. */
  readonly checkTexts: boolean
  /** The path of the value that is being read. */
  readonly path: string[]
  document: number
  at: number
  depth: number
  anchors: Map<string, Anchored>
}

export function startBuild(text: string, events: readonly Event[], maxDepth: number, aliases: AliasBudget): YamlBuild {
  const checkTexts = text.includes('\\') || text.includes('\ufeff')
  const start = { path: [], document: 0, at: 0, depth: 0 }
  return { text, events, maxDepth, aliases, checkTexts, found: new FoundInText(), ...start, anchors: new Map() }
}

export function find({ found }: YamlBuild, code: string, message: string, offset: number): void {
  found.add({ code, message, offset: Math.max(offset, 0) })
}

/** Adds a finding about the value that is being read. */
export function findValue({ found, document, path }: YamlBuild, code: string, message: string, offset: number): void {
  found.add({ code, message, offset: Math.max(offset, 0), value: { document, path: [...path] } })
}

export function reportDepth(build: YamlBuild, offset: number): void {
  find(build, 'nesting-too-deep', tooDeepMessage(build.maxDepth), offset)
}
