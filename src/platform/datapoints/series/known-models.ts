import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { compileRules } from '../../../records/data-types/data-type.ts'
import type { ValueRules } from '../../../records/values/value.ts'
import type { SupportedPair } from '../../../store/systems/component-support.ts'
import type { KeptTime } from '../retention/kept-times.ts'
import { JsonLiteral } from '../../../datapoints/wire/json-literal.ts'

/** The rules for the points of a characteristic of a service. */
interface PairRules {
  /** The body of the characteristic, which identifies the definition. */
  readonly definition: string
  readonly rules: ValueRules
  /** Whether people set the value, so that a reported value may fulfil a setpoint. */
  readonly isSetting: boolean
  readonly kept: KeptTime
}

/**
 * A characteristic of a service of one component model. All series of it share this, and an apply changes it for all.
 */
export class KnownPair {
  /** The index of the pair's series within each component of the model. */
  readonly place: number
  readonly service: WrittenUuid
  readonly characteristic: WrittenUuid
  /** The index into KINDS. It never changes, because a pair of another kind has other series. */
  readonly kind: number
  isOpen = true
  rules: ValueRules
  isSetting: boolean
  kept: KeptTime
  #definition: string

  constructor(place: number, { serviceUuid, characteristicUuid }: SupportedPair, by: PairRules) {
    this.place = place
    this.service = written(serviceUuid)
    this.characteristic = written(characteristicUuid)
    this.kind = KINDS.indexOf(by.rules.kind)
    this.rules = by.rules
    this.isSetting = by.isSetting
    this.kept = by.kept
    this.#definition = by.definition
  }

  /** Takes over changes of the definition, or closes the pair if its points now belong to other series. */
  follow(pair: SupportedPair | undefined, kept: (pair: SupportedPair) => KeptTime): void {
    if (pair === undefined) {
      this.isOpen = false
      return
    }
    this.kept = kept(pair)
    if (JSON.stringify(pair.characteristicBody) === this.#definition) return
    const changed = pairRules(pair, this.kept)
    this.isOpen = KINDS.indexOf(changed.rules.kind) === this.kind
    this.rules = changed.rules
    this.isSetting = changed.isSetting
    this.#definition = changed.definition
  }
}

function pairRules({ characteristicBody }: SupportedPair, kept: KeptTime): PairRules {
  return {
    definition: JSON.stringify(characteristicBody),
    rules: compileRules(characteristicBody),
    isSetting: isSetting(characteristicBody),
    kept,
  }
}

/** Tells whether users set the value. Otherwise only the device does. */
export function isSetting(characteristicBody: SupportedPair['characteristicBody']): boolean {
  return characteristicBody['characteristicType'] === 'SETTING'
}

/** The pairs of a component model for which points were written. */
export class KnownModel {
  readonly uuid: string
  readonly #byCharacteristic = new Map<string, KnownPair[]>()
  /** The next place. Places are never reused. */
  #places = 0

  constructor(uuid: string) {
    this.uuid = uuid
  }

  get size(): number {
    return this.#byCharacteristic.values().reduce((sum, { length }) => sum + length, 0)
  }

  find(characteristic: string, service: unknown): KnownPair | undefined {
    return this.#byCharacteristic.get(characteristic)?.find((pair) => pair.service.uuid === service)
  }

  add(pair: SupportedPair, kept: KeptTime): KnownPair {
    const made = new KnownPair(this.#places++, pair, pairRules(pair, kept))
    const same = this.#byCharacteristic.get(pair.characteristicUuid) ?? []
    this.#byCharacteristic.set(pair.characteristicUuid, [...same, made])
    return made
  }

  /** Takes over the supported pairs of the model, and returns the pairs that it no longer has. */
  follow(supported: readonly SupportedPair[], kept: (pair: SupportedPair) => KeptTime): readonly KnownPair[] {
    const present = new Map(supported.map((pair) => [`${pair.serviceUuid} ${pair.characteristicUuid}`, pair]))
    const known = [...this.#byCharacteristic.values()].flat()
    for (const pair of known) pair.follow(present.get(`${pair.service.uuid} ${pair.characteristic.uuid}`), kept)
    for (const [characteristic, pairs] of this.#byCharacteristic)
      this.#byCharacteristic.set(
        characteristic,
        pairs.filter(({ isOpen }) => isOpen),
      )
    return known.filter(({ isOpen }) => !isOpen)
  }
}

/** A uuid in its stored form (lower case), and as a literal of a request body. */
export interface WrittenUuid {
  readonly uuid: string
  readonly literal: JsonLiteral
}

export function written(uuid: string): WrittenUuid {
  return { uuid, literal: new JsonLiteral(uuid) }
}
