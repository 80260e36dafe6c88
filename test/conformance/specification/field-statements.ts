import type { Json, JsonObject } from '../../../src/lib/json.ts'
import type { Field, Item } from './item.ts'
import { ITEMS } from './items.ts'
import { planned } from './sent.ts'
import { statement, type Sent, type Statement } from './statement.ts'

/** Up to three statements of each field: what it takes, whether it may be left out, and what stands there then. */
export const FIELD_STATEMENTS: readonly Statement[] = ITEMS.flatMap((item) =>
  item.fields.flatMap((field) => statementsOf(item, field)),
)

function statementsOf(item: Item, field: Field): Statement[] {
  const title = `2 ${item.name}`
  const { name, kind } = field
  return [
    statement(title, `${name} is ${kind.says}`, sendsValues(item, field), { taken: kind.takes, refused: kind.refuses }),
    field.required === true
      ? statement(title, `${name} is required`, leavesOut(item, field), { outcome: 'refused' })
      : statement(title, `${name} may be left out`, leavesOut(item, field), { outcome: 'taken' }),
    ...(field.default === undefined
      ? []
      : [
          statement(
            title,
            `${name} is ${JSON.stringify(field.default)} where it is left out`,
            showsDefault(item, field),
            {
              [name]: field.default,
            },
          ),
        ]),
  ]
}

/** Those that are taken, each as it was sent, and those that are refused, each at its place. */
function sendsValues(item: Item, field: Field): Sent {
  return async ({ server }) => {
    const { takes, refuses } = field.kind
    const taken = field.identifies === true ? takes.map((value) => [value]) : [takes]
    const good = await Promise.all(taken.map((all) => planned(server, documentWith(item, field, all))))
    const bad = await planned(server, documentWith(item, field, refuses))
    const isRefusedAt = (index: number) =>
      bad.errors.some(({ pointer }) => pointer.startsWith(`${item.pointerOf(index)}/${field.name}`))
    return {
      taken: good.flatMap(({ outcome, changes }, index) =>
        outcome === 'taken' ? taken[index]?.filter(isShownIn(item.shown(changes), field)) : [],
      ),
      refused: refuses.filter((_, index) => isRefusedAt(index)),
    }
  }
}

function documentWith(item: Item, { name, with: more }: Field, all: readonly Json[]): JsonObject {
  return item.documentOf(all.map((value, index) => ({ ...item.make(index), ...more, [name]: value })))
}

/** A secret is not shown, and objects and lists have a canonical form of their own. */
function isShownIn(shown: readonly JsonObject[], { name }: Field): (value: Json) => boolean {
  const plain = shown.map((body) => body[name]).filter((value) => value !== undefined && typeof value !== 'object')
  return (value) => typeof value === 'object' || plain.length === 0 || plain.includes(value)
}

function leavesOut(item: Item, field: Field): Sent {
  return async ({ server }) => {
    const { outcome, errors } = await planned(server, documentWithout(item, field))
    return { outcome, errors }
  }
}

function showsDefault(item: Item, field: Field): Sent {
  return async ({ server }) => {
    const [body] = item.shown((await planned(server, documentWithout(item, field))).changes)
    return { [field.name]: body?.[field.name] ?? null }
  }
}

function documentWithout(item: Item, { name }: Field): JsonObject {
  const { [name]: _, ...rest } = item.make(0)
  return item.documentOf([rest])
}
