import { splitStatements } from '../../src/db/read-migrations.ts'

// The rules that every statement keeps, so that Citus can distribute the tables over machines (docs/decisions/0036).
// The check does not parse SQL. It looks for words, and accepts a statement in case of doubt.

/** Tables and sequences that belong to one machine, because only the processes that write there use them. */
export const LOCAL_TABLES: readonly string[] = [
  'schema_migrations',
  'arrival_lanes',
  'writer_slots',
  'datapoints_hot',
  'domains_of_buffers',
  'datapoint_generations',
  'pg_inherits',
  'pg_class',
]

/** Statements that may break a rule, by their beginning or their subject, with the reason. */
export const ALLOWED: readonly { readonly rule: RuleName; readonly text: RegExp; readonly reason: string }[] = [
  {
    rule: 'no set_config',
    text: /^create (?:or replace )?function find_(token|backing)\(/,
    reason: 'it is distributed by its first argument, and runs whole on the machine of the domain',
  },
  {
    rule: 'rows are locked within a domain',
    text: /^\s*with (?:gone as \(\s*delete from datapoint_(?:chunks|blocks)\b|held as \(\s*select c\.(?:ctid as place|domain_id), c\.series_id)|^select e\.domain_id as "domainId", e\.uuid from setpoints e where .* limit \$2 for update skip locked$/,
    reason: 'upkeep takes the rows of several domains at once, and does not run on Citus yet (docs/decisions/0036)',
  },
  {
    rule: 'no join of what is local with what is not',
    text: /\bdatapoints_hot\b/,
    reason: 'hot points are read together with the rest; Citus 13 was seen to send them to the other machines',
  },
]

export type RuleName = keyof typeof RULES

/** SQL in lower case, without comments and string literals. Quoted names and `$$` bodies stay. */
function wordsOf(text: string): string {
  return text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
}

const isLocal = (table: string): boolean => LOCAL_TABLES.some((one) => table === one || table.startsWith(`${one}_`))

function targets(words: string, verb: RegExp): readonly string[] {
  return [...words.matchAll(verb)].map(([, table = '']) => table).filter((table) => !isLocal(table))
}

const updated = (words: string): readonly string[] =>
  targets(words, /\bupdate\s+(?:only\s+)?(?!set\b|of\b|skip\b)([a-z_]\w*)\s+(?:\w+\s+)?set\b/g)

/** The text from a place to the end of its parenthesis, without the content of inner parentheses. */
function clauseAt(words: string, from: number): string {
  let depth = 0
  let clause = ''
  for (const char of words.slice(from)) {
    if (char === ')' && depth-- === 0) break
    if (depth === 0) clause += char
    if (char === '(') depth += 1
  }
  return clause
}

/** The content of the parenthesis that opens at a place. */
function inside(words: string, from: number): string {
  let depth = 0
  for (let index = from; index < words.length; index++) {
    if (words[index] === '(') depth += 1
    if (words[index] === ')' && --depth === 0) return words.slice(from, index)
  }
  return words.slice(from)
}

const VOLATILE = /\b(?:gen_random_uuid|clock_timestamp|random|nextval|setval|timeofday)\s*\(/
const OF_TIME = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|current_setting)\s*\(/
const DEFINITION = /^\s*(?:create|alter|drop|grant|revoke|truncate)\b/

/** Each rule tells whether the words of a statement break it. */
const RULES = {
  'no set_config': (words) => /\bset_config\s*\(/.test(words),
  'no trigger': (words) => /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b/.test(words),
  'no number of a transaction': (words) =>
    /\b(?:xid8|pg_current_snapshot|pg_current_xact_id|pg_visible_in_snapshot|pg_snapshot_\w+|txid_\w+)\b/.test(words),
  'no subquery in a policy': (words) => /\bcreate\s+policy\b[\s\S]*\(\s*select\b/.test(words),
  'one definition in a call': (words) => {
    const statements = splitStatements(words)
    return statements.length > 1 && statements.some((one) => DEFINITION.test(one))
  },
  'no volatile function in an update': (words) => updated(words).length > 0 && VOLATILE.test(words),
  'no time in a conflict': (words) =>
    [...words.matchAll(/\bdo update set\b/g)].some(({ index }) =>
      OF_TIME.test(inside(`(${words.slice(index)}`, 0).replace(/\breturning\b[\s\S]*/, '')),
    ),
  'no subquery in values': (words) =>
    targets(words, /\binsert into\s+(\w+)/g).length > 0 &&
    [...words.matchAll(/\bvalues\s*\(/g)].some(({ index, 0: head }) =>
      /\(\s*select\b/.test(inside(words, index + head.length - 1)),
    ),
  'what is selected and inserted is returned': (words) =>
    [...words.matchAll(/\binsert into\s+(\w+)/g)].some(({ index, 1: table = '' }) => {
      const clause = clauseAt(words, index)
      return !isLocal(table) && /\bselect\b/.test(clause) && !/\breturning\b|\bon conflict\b/.test(clause)
    }),
  'rows are locked within a domain': (words) =>
    /\bfor (?:no key )?(?:update|share)\b/.test(words) &&
    targets(words, /\b(?:from|join)\s+(?:only\s+)?([a-z_]\w*)/g).some((table) => TABLES.has(table)) &&
    !/\b(?:domain_id|id|slug) = \$\d/.test(words),
  'no join of what is local with what is not': (words) => {
    const tables = [...words.matchAll(/\b(?:from|join|using)\s+(?:only\s+)?([a-z_]\w*)/g)].map(
      ([, table = '']) => table,
    )
    return tables.some(isLocal) && tables.some((table) => !isLocal(table) && TABLES.has(table))
  },
} satisfies { readonly [name: string]: (words: string) => boolean }

/** The names of the tables in the migrations. */
const TABLES = new Set<string>()

export function knowTables(migrations: readonly { readonly text: string }[]): void {
  for (const { text } of migrations)
    for (const [, table = ''] of wordsOf(text).matchAll(/\bcreate table (\w+)/g)) TABLES.add(table)
}

/** The rules that a statement breaks without permission. */
export function brokenRules(text: string): readonly string[] {
  const words = wordsOf(text)
  const broken = Object.entries(RULES).flatMap(([name, breaks]) => (breaks(words) ? [name] : []))
  return broken.filter((name) => !ALLOWED.some((one) => one.rule === name && one.text.test(text)))
}
