import { connect } from 'holdfast/client'
import type { Model } from './model.ts'

const { HOLDFAST_URL: url = 'http://localhost:3000', HOLDFAST_TOKEN: token = '', THERMOSTAT: uuid = '' } = process.env

const holdfast = connect<Model>({ url, token })
const temperature = await holdfast.component('room-thermostat', uuid).latest('room-control/room-temperature')
console.log(temperature === null ? 'no value yet' : `${temperature.toFixed(1)} °C`)
