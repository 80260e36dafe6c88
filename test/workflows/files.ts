import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: unknown
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly with?: { readonly [input: string]: unknown }
  readonly env?: { readonly [name: string]: unknown }
  readonly 'continue-on-error'?: unknown
}

export type Access = 'none' | 'read' | 'write'
export type Permissions = { readonly [scope: string]: Access }

export interface Job {
  readonly if?: unknown
  readonly uses?: string
  readonly with?: { readonly [input: string]: unknown }
  readonly permissions?: Permissions
  readonly environment?: unknown
  readonly env?: { readonly [name: string]: unknown }
  readonly needs?: string
  readonly outputs?: { readonly [name: string]: string }
  readonly steps?: readonly Step[]
  readonly 'timeout-minutes'?: number
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress'?: unknown; readonly queue?: string }
}

export interface Workflow {
  readonly on: { readonly [event: string]: unknown }
  readonly permissions?: Permissions
  readonly jobs: { readonly [id: string]: Job }
}

export interface Action {
  readonly inputs: { readonly [name: string]: { readonly default?: unknown; readonly required?: boolean } }
  readonly runs: { readonly steps: readonly Step[] }
}

export const WORKFLOWS = ['plan', 'apply', 'drift', 'ci', 'nightly', 'docs', 'release'].map(
  (name) => `.github/workflows/${name}.yml`,
)

export function readProjectFile(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8')
}

export function parseYaml<Shape>(text: string): Shape {
  return parse(text) as Shape
}
