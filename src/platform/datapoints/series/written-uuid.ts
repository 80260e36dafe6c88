import { JsonLiteral } from '../../../datapoints/wire/json-literal.ts'

/** A uuid in its stored form, in lower case, and as a literal of a request body. */
export interface WrittenUuid {
  readonly uuid: string
  readonly literal: JsonLiteral
}

export function written(uuid: string): WrittenUuid {
  return { uuid, literal: new JsonLiteral(uuid) }
}
