import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { MAPS, MOST_LEVELS } from './schema-keywords.ts'
import { referencePath, schemaAt } from './schema-reference.ts'

// What the validator is known to judge otherwise than the draft says (JSON-Schema-Test-Suite, 2020-12): a schema that
// uses it is refused rather than let values pass that it forbids.

const PROTOTYPE = '__proto__'

/** Why the validator would misjudge values by what stands in this part of a schema itself, and the keyword; or null. */
export function misjudged(node: JsonObject, root: Json): { readonly keyword: string; readonly message: string } | null {
  for (const [keyword, value] of Object.entries(node)) {
    const namesMembers = MAPS.has(keyword) || keyword === 'dependentRequired'
    if (namesMembers && isObject(value) && Object.hasOwn(value, PROTOTYPE))
      return { keyword, message: `it names a member ${PROTOTYPE}` }
  }
  const items = node['unevaluatedItems'] === undefined ? null : itemsProblem(node, root)
  if (items !== null) return { keyword: 'unevaluatedItems', message: `its unevaluatedItems would not see ${items}` }
  const hidden = node['unevaluatedProperties'] !== undefined && usedBeside(node, root).some(isIfAlone)
  if (!hidden) return null
  return { keyword: 'unevaluatedProperties', message: `its unevaluatedProperties would not see ${IF_ALONE}` }
}

/** A part of a schema that is about the same value as another one. */
interface Beside {
  readonly node: JsonObject
  /** Whether it depends on the value which of its annotations count. */
  readonly depends: boolean
}

const IF_ALONE = 'what an if without a then that demands something has looked at; add `"then": {"properties": {}}`'

function itemsProblem(node: JsonObject, root: Json): string | null {
  const used = usedBeside(node, root)
  if (used.some((one) => one.node['contains'] !== undefined)) return 'what contains has found'
  if (used.some(isIfAlone)) return IF_ALONE
  return used.some(isOpen) ? 'what the items of only one of several schemas have looked at' : null
}

function isOpen({ node, depends }: Beside): boolean {
  return depends && (node['items'] !== undefined || node['unevaluatedItems'] !== undefined)
}

function isIfAlone({ node }: Beside): boolean {
  return node['if'] !== undefined && !demandsSomething(node['then'])
}

/** Where nothing is demanded the validator leaves the keyword out, and with it what was noted on the way. */
function demandsSomething(schema: Json | undefined): boolean {
  if (!isObject(schema)) return schema === false
  return Object.keys(schema).some((keyword) => !REMARKS.has(keyword))
}

const REMARKS = new Set([
  'title',
  'description',
  '$comment',
  'default',
  'deprecated',
  'examples',
  'readOnly',
  'writeOnly',
  '$defs',
  'definitions',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** The part itself, and all that is applied to the same value with it. */
function usedBeside(node: JsonObject, root: Json): readonly Beside[] {
  const found: Beside[] = []
  const seen = new Set<string>()
  let level = 0
  const visit = (part: Json | undefined, depends: boolean): void => {
    // What is deeper is refused for that.
    if (!isObject(part) || level >= MOST_LEVELS) return
    level += 1
    collect(part, depends)
    level -= 1
  }
  const collect = (part: object, depends: boolean): void => {
    const one = part as JsonObject
    const { $ref: reference } = one
    found.push({ node: one, depends })
    for (const branch of listed(one['allOf'])) visit(branch, depends)
    for (const branch of [...listed(one['anyOf']), ...listed(one['oneOf'])]) visit(branch, true)
    for (const keyword of ['if', 'then', 'else']) visit(one[keyword], true)
    for (const branch of Object.values(isObject(one['dependentSchemas']) ? one['dependentSchemas'] : {}))
      visit(branch, true)
    const key = `${String(reference)} ${depends}`
    if (typeof reference !== 'string' || seen.has(key)) return
    seen.add(key)
    visit(schemaAt(root, referencePath(reference) ?? ['']), depends)
  }
  visit(node, false)
  return found
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
