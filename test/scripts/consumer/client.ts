// An app compiles this against the packed packages. Each line below `@ts-expect-error` must not compile.
import { connect } from 'holdfast/client'

interface Model {
  readonly componentModels: {
    readonly 'room-thermostat': {
      readonly 'room-control/room-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
      readonly 'room-control/mode': { readonly value: 'comfort' | 'eco'; readonly type: 'SETTING' }
    }
    readonly 'water-meter': {
      readonly 'metering/serial': { readonly value: string; readonly type: 'MEASUREMENT' }
    }
  }
  readonly eventModels: Record<never, never>
  readonly metadata: Record<never, never>
}

const holdfast = connect<Model>({ url: 'https://acme.example.com', token: 'secret' })
const thermostat = holdfast.component('room-thermostat', '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c')

export const temperature: number | null = await thermostat.latest('room-control/room-temperature')
export const mode: 'comfort' | 'eco' | null = await thermostat.latest('room-control/mode')

// @ts-expect-error: there may be no value yet
export const certain: number = await thermostat.latest('room-control/room-temperature')
// @ts-expect-error: a number
export const text: string | null = await thermostat.latest('room-control/room-temperature')
// @ts-expect-error: a typing mistake in the path
await thermostat.latest('room-control/room-temprature')
// @ts-expect-error: a path of another component model
await thermostat.latest('metering/serial')
// @ts-expect-error: a typing mistake in the component model
holdfast.component('room-termostat', '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c')
await thermostat.setSetpoint('room-control/mode', 'eco')
// @ts-expect-error: no option of the characteristic
await thermostat.setSetpoint('room-control/mode', 'ecco')
// @ts-expect-error: nobody sets a measurement
await thermostat.setSetpoint('room-control/room-temperature', 20)
// @ts-expect-error: no address
connect<Model>({ token: 'secret' })
