import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { MAPS, MOST_LEVELS, referencePath, schemaAt } from './schema-reference.ts'

// The validator is known to differ from the draft in these cases (JSON-Schema-Test-Suite, 2020-12). A schema that
// uses one is refused, so that no value passes that the schema forbids.

const PROTOTYPE = '__proto__'

/**
 * The keyword in this part of a schema for which the validator would judge values wrongly, with the reason; null
 * where there is none.
 */
export function misjudged(node: JsonObject, root: Json): { readonly keyword: string; readonly message: string } | null {
  for (const [keyword, value] of Object.entries(node)) {
    const namesMembers = MAPS.has(keyword) || keyword === 'dependentRequired'
    if (namesMembers && isObject(value) && Object.hasOwn(value, PROTOTYPE))
      return { keyword, message: `it names a member ${PROTOTYPE}` }
  }
  const items = node['unevaluatedItems'] === undefined ? null : itemsProblem(node, root)
  if (items !== null) return { keyword: 'unevaluatedItems', message: `its unevaluatedItems would ignore ${items}` }
  const hidden = node['unevaluatedProperties'] !== undefined && usedBeside(node, root).some(isIfAlone)
  if (!hidden) return null
  return { keyword: 'unevaluatedProperties', message: `its unevaluatedProperties would ignore ${IF_ALONE}` }
}

/** A part of a schema that applies to the same value as another part. */
interface Beside {
  readonly node: JsonObject
  /** Whether its annotations count for some values only. */
  readonly depends: boolean
}

const IF_ALONE = 'items that an if without a demanding then has checked; add `"then": {"properties": {}}`'

function itemsProblem(node: JsonObject, root: Json): string | null {
  const used = usedBeside(node, root)
  if (used.some((one) => one.node['contains'] !== undefined)) return 'what contains has found'
  if (used.some(isIfAlone)) return IF_ALONE
  return used.some(isOpen) ? 'items that only one of several schemas has checked' : null
}

function isOpen({ node, depends }: Beside): boolean {
  return depends && (node['items'] !== undefined || node['unevaluatedItems'] !== undefined)
}

function isIfAlone({ node }: Beside): boolean {
  return node['if'] !== undefined && !demandsSomething(node['then'])
}

/**
 * Tells whether a schema demands anything. Where it does not, the validator leaves the keyword out, together with the
 * annotations collected on the way.
 */
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

/** The part itself, and all parts that apply to the same value. */
function usedBeside(node: JsonObject, root: Json): readonly Beside[] {
  const found: Beside[] = []
  const seen = new Set<string>()
  let level = 0
  const visit = (part: Json | undefined, depends: boolean): void => {
    // A deeper schema is refused because of its depth.
    if (!isObject(part) || level >= MOST_LEVELS) return
    level += 1
    collect(part, depends)
    level -= 1
  }
  const collect = (one: JsonObject, depends: boolean): void => {
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
  return isJsonList(value) ? value : []
}
