import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { MAPS, targetOf } from './schema-reference.ts'
import type { WorkBudget } from './work-budget.ts'

// The validator deviates from the draft in these cases (JSON-Schema-Test-Suite, 2020-12). A schema that contains one is
// rejected, so that no value is accepted against its schema.

const PROTOTYPE = '__proto__'

/** The keyword in this part of a schema that the validator gets wrong, with the reason; null if there is none. */
export function misjudged(
  node: JsonObject,
  root: Json,
  budget: WorkBudget,
): { readonly keyword: string; readonly message: string } | null {
  for (const [keyword, value] of Object.entries(node)) {
    const namesMembers = MAPS.has(keyword) || keyword === 'dependentRequired'
    if (namesMembers && isObject(value) && Object.hasOwn(value, PROTOTYPE))
      return { keyword, message: `it names a member ${PROTOTYPE}` }
  }
  const items = node['unevaluatedItems'] === undefined ? null : itemsProblem(node, root, budget)
  if (items !== null) return { keyword: 'unevaluatedItems', message: `its unevaluatedItems would ignore ${items}` }
  const hidden = node['unevaluatedProperties'] !== undefined && usedBeside(node, root, budget).some(isIfAlone)
  if (!hidden) return null
  return { keyword: 'unevaluatedProperties', message: `its unevaluatedProperties would ignore ${IF_ALONE}` }
}

/** A part of a schema that applies to the same value as another part. */
interface Beside {
  readonly node: JsonObject
  /** Whether the annotations of a schema apply only to some values. */
  readonly depends: boolean
}

const IF_ALONE = 'items that only an `if` has checked; add `"then": {"properties": {}}` beside it'

function itemsProblem(node: JsonObject, root: Json, budget: WorkBudget): string | null {
  const used = usedBeside(node, root, budget)
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

/** Tells whether a schema demands anything. If not, the validator skips the keyword and its annotations. */
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

/** The part itself and all parts that apply to the same value, without duplicates. */
function usedBeside(node: JsonObject, root: Json, budget: WorkBudget): readonly Beside[] {
  const found: Beside[] = []
  const seen = { always: new Set<JsonObject>(), depending: new Set<JsonObject>() }
  const add = (part: Json | undefined, depends: boolean): void => {
    const known = depends ? seen.depending : seen.always
    if (!isObject(part) || known.has(part)) return
    known.add(part)
    found.push({ node: part, depends })
  }
  add(node, false)
  // The list grows during the loop.
  for (const { node: one, depends } of found) {
    budget.spend(STEPS_A_LOOK)
    const { $ref: reference } = one
    for (const branch of listed(one['allOf'])) add(branch, depends)
    for (const branch of branchesOf(one)) add(branch, true)
    if (typeof reference === 'string') add(targetOf(root, reference), depends)
  }
  return found
}

/** The cost of finding the parts that apply to the same value as one part, in steps of a budget. */
const STEPS_A_LOOK = 2

/** The schemas that apply only to some values. */
function branchesOf(node: JsonObject): readonly (Json | undefined)[] {
  const { anyOf, oneOf, dependentSchemas } = node
  const byMember = isObject(dependentSchemas) ? Object.values(dependentSchemas) : []
  return [...listed(anyOf), ...listed(oneOf), node['if'], node['then'], node['else'], ...byMember]
}

function listed(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : []
}
