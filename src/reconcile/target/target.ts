import type { BaseDifference } from '../../documents/base-document.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Change, Plan, ScopeRow, Summary } from '../../plan/plan.ts'
import type { DocumentTypeName, RecordKey } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'

/** A plan as the target makes it, without positions in files, which only the command line knows. */
export interface TargetPlan {
  readonly plan: Plan
  /** The JSON Pointers of the changes into the import document, by `type/key`. */
  readonly pointers: { get(record: string): string | undefined }
}

/** The origin of the models of an apply. */
export interface Origin {
  readonly commit?: string
  /** The base commit of the models, if only the changes since that commit were applied. */
  readonly base?: string
  readonly repository?: string
  readonly ref?: string
  readonly actor?: string
  /** The name that the forge shows, such as `#12` or `!12`. */
  readonly pullRequest?: string
  /** The folder of the models in the repository; left out if it is not known. */
  readonly folder?: string
  readonly rollbackOf?: string
  /** The id by which the platform recognises an apply that it has executed; left out if each is new. */
  readonly applyId?: string
}

/** The origin of an apply, with the owner of its record types. The platform finds the owner by the token. */
interface PastOrigin extends Origin {
  readonly owner?: string
}

export interface Apply {
  readonly uuid: string
  /** False if there was nothing to write and nothing to remember. */
  readonly recorded: boolean
  readonly at: string
  readonly planDigest: string
  readonly summary: ApplySummary
}

/** The numbers of an apply. */
export interface ApplySummary extends Summary {
  /** The number of changed grants; left out if there are none. */
  readonly access?: number
  /** The number of reviewed changes that were already made before; left out if there are none. */
  readonly done?: number
}

/** An apply as the platform remembers it. */
export interface PastApply {
  readonly uuid: string
  readonly at: string
  readonly actor: string
  readonly planDigest: string
  readonly summary: ApplySummary
  readonly origin: PastOrigin | null
  readonly scope: readonly Pick<ScopeRow, 'type' | 'state'>[]
  readonly rollbackOf: string | null
}

export interface PastChange extends Pick<Change, 'type' | 'key' | 'action' | 'cause' | 'before' | 'after' | 'patch'> {
  readonly from?: string | null
}

export interface PastApplyDetails extends PastApply {
  readonly changes: readonly PastChange[]
}

/** A plan that undoes an apply, and the document that must be sent to apply it. */
interface Rollback {
  readonly plan: Plan
  readonly document: JsonObject
}

/** An import document, both as values and as pieces of JSON text in UTF-8. The caller takes the form that it needs. */
interface WrittenDocument {
  readonly document: JsonObject
  text(): Iterable<Uint8Array>
}

/** The base of a plan in the form that the platform gets: its differences from the models. */
export interface SentBase {
  readonly document: BaseDifference
  readonly settings: Pick<Settings, 'access' | 'moved' | 'acknowledge'>
}

/** The inputs of a plan in addition to the models. */
interface PlanFrom {
  readonly base?: SentBase
  readonly origin?: Pick<Origin, 'folder'>
}

/** `brief` is for a plan that is only shown. It leaves out the bodies of hundreds of new records. */
export type Detail = 'all' | 'brief'

/** The parts of the platform to export. Left out to export everything. */
export interface WantedExport {
  readonly types: readonly DocumentTypeName[]
  readonly access: boolean
}

/** The records of a platform, and its grants if they were requested. */
export interface Export {
  readonly document: JsonObject
  readonly access: readonly JsonObject[] | null
}

/** The platform or file with which a plan compares the models, and to which it is applied. */
export interface Target {
  /** With a base, the plan covers only the changes of the models against it. */
  plan(models: WrittenDocument, settings: Settings, detail: Detail, from?: PlanFrom): Promise<TargetPlan>
  /** `except` names records whose changes are no longer wanted. */
  apply(
    models: WrittenDocument,
    settings: Settings,
    plan: Plan,
    origin: Origin,
    except?: readonly RecordKey[],
  ): Promise<Apply>
  export(wanted?: WantedExport): Promise<Export>
  /** The latest applies, newest first. */
  history(limit: number): Promise<readonly PastApply[]>
  pastApply(uuid: string): Promise<PastApplyDetails>
  rollbackPlan(apply: string, settings: Settings): Promise<Rollback>
  close(): Promise<void>
}
