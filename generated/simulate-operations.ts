// Generated from src/simulate/documents.ts by "npm run types". Do not edit.
import type { Json } from '../src/lib/json.ts'

/** The variables and the data of each operation. */
export interface Operations {
  Model: {
    variables: {}
    data: {
      readonly currentDomain: {
        readonly uuid: string
      }
      readonly importDocument: Json
    }
  }
  Site: {
    variables: {
      readonly system: string
    }
    data: {
      readonly system: {
        readonly name: string
        readonly status: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
      } | null
      readonly components: {
        readonly nodes: readonly ({
          readonly uuid: string
          readonly status: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
          readonly supports: readonly ({
            readonly service: string
            readonly serviceStatus: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
            readonly characteristic: string
            readonly characteristicStatus: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED'
            readonly characteristicType: 'MEASUREMENT' | 'SETTING'
          })[]
        })[]
      }
      readonly latestDatapoints: readonly ({
        readonly componentUuid: string
        readonly service: string
        readonly characteristic: string
        readonly timestamp: string
        readonly value: Json
      })[]
    }
  }
  CreateSystem: {
    variables: {
      readonly input: {
        readonly uuid?: string | null | undefined
        readonly name: string
        readonly status?: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED' | null | undefined
        readonly isPrototype?: boolean | null | undefined
        readonly organizationUnit?: string | null | undefined
        readonly metadataKeyValueStore?: readonly ({
          readonly key: string
          readonly value?: Json | null | undefined
        })[] | null | undefined
      }
    }
    data: {
      readonly createSystem: {
        readonly uuid: string
      }
    }
  }
  CreateComponents: {
    variables: {
      readonly input: readonly ({
        readonly uuid?: string | null | undefined
        readonly system: string
        readonly componentModel: string
        readonly name: string
        readonly status?: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED' | null | undefined
        readonly isPrototype?: boolean | null | undefined
        readonly metadataKeyValueStore?: readonly ({
          readonly key: string
          readonly value?: Json | null | undefined
        })[] | null | undefined
      })[]
    }
    data: {
      readonly createComponents: readonly ({
        readonly uuid: string
      })[]
    }
  }
  CreateCredential: {
    variables: {
      readonly system: string
    }
    data: {
      readonly createSystemCredential: {
        readonly uuid: string
        readonly username: string
        readonly password: string
      }
    }
  }
  RevokeCredential: {
    variables: {
      readonly uuid: string
    }
    data: {
      readonly revokeSystemCredential: {
        readonly uuid: string
      }
    }
  }
  CreateEvent: {
    variables: {
      readonly input: {
        readonly uuid?: string | null | undefined
        readonly eventModel: string
        readonly message?: string | null | undefined
        readonly system?: string | null | undefined
        readonly component?: string | null | undefined
        readonly at?: string | null | undefined
        readonly endAt?: string | null | undefined
        readonly metadataKeyValueStore?: readonly ({
          readonly key: string
          readonly value?: Json | null | undefined
        })[] | null | undefined
      }
    }
    data: {
      readonly createEvent: {
        readonly uuid: string
      }
    }
  }
  EndEvent: {
    variables: {
      readonly uuid: string
      readonly at: string
    }
    data: {
      readonly endEvent: {
        readonly uuid: string
      }
    }
  }
}
