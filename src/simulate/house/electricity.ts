import { clamp, random, wave } from './chance.ts'
import { householdLoad, spanOf } from './habits.ts'
import type { Moment, Reports } from './moment.ts'
import { DAY, HOUR, localTime, MINUTE } from './local-time.ts'

/** Returns the reports of all electric devices. `heatPump` is the power of the heat pump in kW. */
export function electricityAt(moment: Moment, heatPump: number): Reports {
  const { plan, memory, time, hours } = moment
  const { power: solarPower, reports: solar } = solarAt(moment)
  const { power: charger, reports: charging } = chargerAt(moment)
  const needed = plan.size * householdLoad(plan.seed, plan.id, time) + heatPump + charger
  const { power: battery, reports: storage } = batteryAt(moment, solarPower - needed)
  const grid = needed + battery - solarPower
  const course = (name: string, period: number) => wave(plan.seed, `${name} ${plan.id}`, time, period)
  // The voltage falls when houses draw much power, and rises when the sun feeds power in.
  const voltage = (phase: number) => 231 + phase - 0.055 * grid + 1.4 * course(`l${phase}`, 50 * MINUTE)
  return {
    ...solar,
    ...charging,
    ...storage,
    'grid-meter': {
      'active-power': grid,
      'energy-imported': memory.add('grid-meter/energy-imported', Math.max(0, grid) * hours),
      'energy-exported': memory.add('grid-meter/energy-exported', Math.max(0, -grid) * hours),
      'voltage-l1': voltage(0),
      'voltage-l2': voltage(1),
      'voltage-l3': voltage(2),
      'grid-frequency': 50 + 0.018 * course('frequency', 7 * MINUTE) + 0.006 * course('frequency', MINUTE),
    },
  }
}

interface Part {
  /** kW */
  readonly power: number
  readonly reports: Reports
}

function solarAt({ plan, settings, memory, time, hours, weather }: Moment): Part {
  const { radiation, temperature } = weather
  // The panels are warmer than the air, and heat reduces their power.
  const heat = temperature + 0.025 * radiation - 25
  const possible = clamp(plan.solarPeak * (radiation / 1_000) * 0.91 * (1 - 0.0038 * heat), 0, plan.solarPeak)
  const works = possible > 0.004 * plan.solarPeak
  const limit = (plan.solarPeak * Number(settings.text('solar', 'feed-in-limit'))) / 100
  const power = works ? Math.min(possible, limit) : 0
  const voltage = radiation < 2 ? 0 : 560 + 70 * (1 - Math.exp(-radiation / 60)) - 1.7 * heat
  const isNextDay = localTime(time).day !== localTime(time - hours * HOUR).day
  if (isNextDay) memory.set('solar/yield-today', 0)
  const reports = {
    'ac-power': power,
    'dc-voltage': voltage,
    'dc-current': voltage === 0 ? 0 : (1_030 * power) / voltage,
    'yield-today': memory.add('solar/yield-today', power * hours),
    'yield-total': memory.add('solar/yield-total', power * hours),
    'inverter-state': works ? (power < possible ? 'derated' : 'feeding') : 'waiting',
    'inverter-warnings': temperature > 31 && power > 30 ? ['over-temperature'] : [],
  }
  return { power, reports: { solar: reports } }
}

/** A car charges from its arrival until it is full, with the highest allowed power. */
function chargerAt({ plan, settings, memory, time, hours }: Moment): Part {
  const stay = spanOf('car', plan.seed, plan.id, time)
  const fastest = clamp(0.69 * settings.number('charger', 'charging-current-limit'), 0, 22)
  const wanted = stay === null ? 0 : 6 + 24 * random(plan.seed, `needs of ${plan.id}`, Math.floor(stay.from / DAY))
  const isCharging = stay !== null && fastest * (time - stay.from) < wanted * HOUR
  const power = isCharging ? fastest : 0
  const reports = {
    'charging-power': power,
    'charging-state': power > 0 ? 'c' : stay === null ? 'a' : 'b',
    'active-power': power,
    'energy-imported': memory.add('charger/energy-imported', power * hours),
    'energy-exported': 0,
  }
  return { power, reports: { charger: reports } }
}

/** Charges the battery with surplus power, or discharges it down to its reserve. The power is positive while charging. */
function batteryAt({ plan, settings, memory, hours }: Moment, surplus: number): Part {
  const { capacity, power: most } = plan.battery
  const charge = memory.get('battery/battery-state-of-charge')
  const kilowatts = (percents: number) => (Math.max(0, percents) * capacity) / 100 / hours
  const free = kilowatts(100 - charge)
  const usable = kilowatts(charge - settings.number('battery', 'battery-reserve'))
  const power = surplus > 0 ? Math.min(surplus, most, free) : -Math.min(-surplus, most, usable)
  // Charging loses some energy.
  const stored = power > 0 ? 0.94 * power : power
  const reports = {
    'battery-state-of-charge': memory.add('battery/battery-state-of-charge', (stored * hours * 100) / capacity),
    'battery-power': power,
    'battery-temperature': memory.follow('battery/battery-temperature', 19 + 0.12 * Math.abs(power), hours, 1.5),
    'battery-cycles': memory.add('battery/battery-cycles', (Math.abs(power) * hours) / (2 * capacity)),
  }
  return { power, reports: { battery: reports } }
}
