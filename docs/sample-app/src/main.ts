// Prints the temperature of a room, and sets the temperature that its thermostat shall reach: node src/main.ts [20.5]
import { connect } from 'holdfast/client'
import type { Model } from './model.ts'

const { HOLDFAST_URL: url = 'http://localhost:3000', HOLDFAST_TOKEN: token = '', THERMOSTAT: uuid = '' } = process.env
const [wanted] = process.argv.slice(2)

const holdfast = connect<Model>({ url, token })
const thermostat = holdfast.component('room-thermostat', uuid)

const temperature = await thermostat.latest('room-control/room-temperature')
console.log(temperature === null ? 'no value yet' : `${temperature.toFixed(1)} °C`)

if (wanted !== undefined) {
  const { state } = await thermostat.setSetpoint('room-control/room-setpoint', Number(wanted))
  console.log(`set to ${wanted} °C: ${state}`)
}
