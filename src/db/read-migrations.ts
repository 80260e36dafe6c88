import { readdir, readFile } from 'node:fs/promises'
import { digestOf, type Digest } from '../lib/digest.ts'
import { HoldfastError } from '../lib/errors.ts'

export interface Migration {
  /** 1, 2, 3, … without gaps. */
  readonly version: number
  /** The file's name, e.g. `0001-domains.sql`. */
  readonly name: string
  readonly text: string
  readonly checksum: Digest
}

/** The folder of Holdfast's own migrations. */
export const MIGRATIONS = new URL('./migrations/', import.meta.url)

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

export async function readMigrations(directory: URL): Promise<Migration[]> {
  const folder = directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1) {
      throw wrongFile(`${name} should have the number ${index + 1}: migrations are numbered from 1 without gaps`)
    }
  }
  return migrations
}

async function readMigration(folder: URL, name: string): Promise<Migration> {
  const version = Number(FILE_NAME.exec(name)?.[1])
  if (Number.isNaN(version)) throw wrongFile(`${name} is not named like 0001-what-it-does.sql`)
  // A checkout with Windows line endings must have the same checksum.
  const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  return { version, name, text, checksum: digestOf(text) }
}

function wrongFile(what: string): HoldfastError {
  return new HoldfastError('INTERNAL', `The migrations cannot be read: ${what}`)
}

// Matches comments and all forms of texts, because a semicolon in them ends no statement (PostgreSQL manual, 4.1).
const PART = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|\s+|[^-/'"$;\s]+|./gy

const IS_SPACE = /^(?:\s|--|\/\*)/

/**
 * Splits a script into its statements, because Citus accepts one definition at a time. Comments and blanks between them
 * are dropped. It supports neither texts like E'\'' nor nested comments, because the scripts of Holdfast have none.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [part] of script.matchAll(PART)) {
    if (part === ';') {
      statements.push(statement.trimEnd())
      statement = ''
    } else if (statement !== '' || !IS_SPACE.test(part)) statement += part
  }
  if (statement !== '') statements.push(statement.trimEnd())
  return statements.filter((text) => text !== '')
}
