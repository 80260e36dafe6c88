// Written by "holdfast types". Do not edit.

/** The characteristics, by their keys. */
export interface Characteristics {
  /**
   * AC power, kW, from 0 to 150
   *
   * Fed in by the inverter
   */
  readonly 'ac-power': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Active power, kW, from -500 to 500
   *
   * Positive for consumption, negative for feed-in
   */
  readonly 'active-power': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Charging cycles, from 0 to 20000 */
  readonly 'battery-cycles': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Battery level, %, from 0 to 100 */
  readonly 'battery-level': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Battery power, kW, from -60 to 60
   *
   * Positive while charging
   */
  readonly 'battery-power': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Reserve, %, from 0 to 50 in steps of 5
   *
   * Charge that is kept for a power cut
   */
  readonly 'battery-reserve': { readonly value: number; readonly type: 'SETTING' }
  /** State of charge, %, from 0 to 100 */
  readonly 'battery-state-of-charge': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Battery temperature, °C, from -30 to 80 */
  readonly 'battery-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Brine inlet temperature, °C, from -30 to 40 */
  readonly 'brine-inlet-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Brine outlet temperature, °C, from -30 to 40 */
  readonly 'brine-outlet-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Buffer temperature, bottom, °C, from 0 to 110 */
  readonly 'buffer-temperature-bottom': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Buffer temperature, top, °C, from 0 to 110 */
  readonly 'buffer-temperature-top': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Charging current limit, A, from 6 to 32 in steps of 1 */
  readonly 'charging-current-limit': { readonly value: number; readonly type: 'SETTING' }
  /** Charging power, kW, from 0 to 22 */
  readonly 'charging-power': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Charging state
   *
   * According to IEC 61851-1
   */
  readonly 'charging-state': { readonly value: 'a' | 'b' | 'c' | 'd' | 'e'; readonly type: 'MEASUREMENT' }
  /** Child lock */
  readonly 'child-lock': { readonly value: boolean; readonly type: 'SETTING' }
  /**
   * Pause of the circulation at night
   *
   * An ISO 8601 duration, for example PT6H30M
   */
  readonly 'circulation-pause': { readonly value: string; readonly type: 'SETTING' }
  /** CO₂ concentration, ppm, from 300 to 10000 */
  readonly 'co2-concentration': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Coefficient of performance, from 0 to 12
   *
   * Thermal by electrical power
   */
  readonly 'coefficient-of-performance': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Commissioning report
   *
   * The signed report as PDF
   */
  readonly 'commissioning-report': { readonly value: string; readonly type: 'SETTING' }
  /** Compressor running time, h, from 0 */
  readonly 'compressor-runtime': { readonly value: number | string; readonly type: 'MEASUREMENT' }
  /** Compressor speed, 1/min, from 0 to 7200 */
  readonly 'compressor-speed': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Compressor starts, from 0
   *
   * Since commissioning; many starts a day wear it out
   */
  readonly 'compressor-starts': { readonly value: number | string; readonly type: 'MEASUREMENT' }
  /** Connected devices, from 0 to 500 */
  readonly 'connected-devices': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** CPU load, %, from 0 to 100 */
  readonly 'cpu-load': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** DC current, A, from 0 to 300 */
  readonly 'dc-current': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** DC voltage, V, from 0 to 1100 */
  readonly 'dc-voltage': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Text on the display
   *
   * A short notice to the tenants
   */
  readonly 'display-text': { readonly value: string; readonly type: 'SETTING' }
  /** Electrical power input, kW, from 0 to 200 */
  readonly 'electrical-power-input': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Energy exported, kWh, from 0 */
  readonly 'energy-exported': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Energy imported, kWh, from 0 */
  readonly 'energy-imported': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Feed-in limit
   *
   * Steps of the ripple control receiver
   */
  readonly 'feed-in-limit': { readonly value: '100' | '60' | '30' | '0'; readonly type: 'SETTING' }
  /** Firmware version */
  readonly 'firmware-version': { readonly value: string; readonly type: 'MEASUREMENT' }
  /**
   * Flow temperature, °C, from -20 to 110
   *
   * Water that leaves the heat generator
   */
  readonly 'flow-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Flow temperature setpoint, °C, from 20 to 65 in steps of 0.5 */
  readonly 'flow-temperature-setpoint': { readonly value: number; readonly type: 'SETTING' }
  /**
   * Flue gas temperature, °C, from 0 to 400
   *
   * @deprecated Its status is ARCHIVED.
   */
  readonly 'flue-gas-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Global radiation, W/m², from 0 to 1500 */
  readonly 'global-radiation': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Grid frequency, Hz, from 45 to 55 */
  readonly 'grid-frequency': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Locked by the grid operator
   *
   * Load management according to section 14a EnWG
   */
  readonly 'grid-lock': { readonly value: boolean; readonly type: 'MEASUREMENT' }
  /** Heat energy, kWh, from 0 */
  readonly 'heat-energy': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Operating mode of the heat pump */
  readonly 'heat-pump-mode': {
    readonly value: 'auto' | 'heating' | 'hot-water' | 'cooling' | 'off'
    readonly type: 'SETTING'
  }
  /** State of the heat pump */
  readonly 'heat-pump-state': {
    readonly value: 'standby' | 'running' | 'defrosting' | 'locked' | 'fault'
    readonly type: 'MEASUREMENT'
  }
  /**
   * Heating curve
   *
   * Flow temperature by outdoor temperature, from cold to warm
   */
  readonly 'heating-curve': { readonly value: unknown; readonly type: 'SETTING' }
  /**
   * Heating schedule
   *
   * When which setpoint holds, by day of the week
   */
  readonly 'heating-schedule': { readonly value: unknown; readonly type: 'SETTING' }
  /**
   * Hot water setpoint, °C, from 55 to 70 in steps of 1
   *
   * Not below 55 °C, to keep legionella away
   */
  readonly 'hot-water-setpoint': { readonly value: number; readonly type: 'SETTING' }
  /** Hot water temperature, °C, from 0 to 95 */
  readonly 'hot-water-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** State of the inverter */
  readonly 'inverter-state': {
    readonly value: 'waiting' | 'feeding' | 'derated' | 'fault'
    readonly type: 'MEASUREMENT'
  }
  /**
   * Warnings of the inverter
   *
   * As many as are pending at the same time
   */
  readonly 'inverter-warnings': {
    readonly value: readonly ('isolation' | 'grid-voltage' | 'grid-frequency' | 'over-temperature' | 'fan')[]
    readonly type: 'MEASUREMENT'
  }
  /** Last completed legionella cycle, from 2020-01-01T00:00:00Z */
  readonly 'last-legionella-cycle': { readonly value: string; readonly type: 'MEASUREMENT' }
  /** Last synchronisation */
  readonly 'last-sync': { readonly value: string; readonly type: 'MEASUREMENT' }
  /** Start of the legionella cycle, from 00:00:00 to 05:00:00 */
  readonly 'legionella-cycle-time': { readonly value: string; readonly type: 'SETTING' }
  /**
   * Reading day
   *
   * Day of the yearly reading
   */
  readonly 'meter-reading-day': { readonly value: string; readonly type: 'SETTING' }
  /** Next maintenance, from 2024-01-01 to 2049-12-31 */
  readonly 'next-maintenance': { readonly value: string; readonly type: 'SETTING' }
  /** Outdoor temperature, °C, from -50 to 60 */
  readonly 'outdoor-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Precipitation, mm, from 0 to 200
   *
   * In the last hour
   */
  readonly precipitation: { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Pump running */
  readonly 'pump-running': { readonly value: boolean; readonly type: 'MEASUREMENT' }
  /** Pump speed, %, from 0 to 100 */
  readonly 'pump-speed': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Return temperature, °C, from -20 to 110
   *
   * Water that comes back to the heat generator
   */
  readonly 'return-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Relative humidity, %, from 0 to 100 */
  readonly 'room-humidity': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Room setpoint, °C, from 16 to 26 in steps of 0.5 */
  readonly 'room-setpoint': { readonly value: number; readonly type: 'SETTING' }
  /** Room temperature, °C, from -10 to 50 */
  readonly 'room-temperature': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Sending interval, s, from 10 to 3600 in steps of 10 */
  readonly 'sending-interval': { readonly value: number; readonly type: 'SETTING' }
  /**
   * Setback setpoint, °C, from 14 to 20 in steps of 0.5
   *
   * At night and while nobody is at home
   */
  readonly 'setback-setpoint': { readonly value: number; readonly type: 'SETTING' }
  /** Signal strength, dBm, from -140 to 0 */
  readonly 'signal-strength': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** System pressure, bar, from 0 to 10 */
  readonly 'system-pressure': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Thermal power, kW, from 0 to 500 */
  readonly 'thermal-power': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Operating mode of the thermostat */
  readonly 'thermostat-mode': {
    readonly value: 'comfort' | 'schedule' | 'setback' | 'frost-protection'
    readonly type: 'SETTING'
  }
  /**
   * Uptime
   *
   * Since the last start, as an ISO 8601 duration
   */
  readonly uptime: { readonly value: string; readonly type: 'MEASUREMENT' }
  /** Valve position, %, from 0 to 100 */
  readonly 'valve-position': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Voltage L1, V, from 0 to 300 */
  readonly 'voltage-l1': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Voltage L2, V, from 0 to 300 */
  readonly 'voltage-l2': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Voltage L3, V, from 0 to 300 */
  readonly 'voltage-l3': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Volume flow, m³/h, from 0 to 60 */
  readonly 'volume-flow': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Water volume, m³, from 0 */
  readonly 'water-volume': { readonly value: number; readonly type: 'MEASUREMENT' }
  /**
   * Weather forecast
   *
   * The next 48 hours
   */
  readonly 'weather-forecast': { readonly value: unknown; readonly type: 'MEASUREMENT' }
  /** Wind speed, m/s, from 0 to 75 */
  readonly 'wind-speed': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Window open */
  readonly 'window-open': { readonly value: boolean; readonly type: 'MEASUREMENT' }
  /** Yield today, kWh, from 0 */
  readonly 'yield-today': { readonly value: number; readonly type: 'MEASUREMENT' }
  /** Yield in total, kWh, from 0 */
  readonly 'yield-total': { readonly value: number; readonly type: 'MEASUREMENT' }
}

/** The characteristics of each service, by their paths. */
export interface Services {
  /** Battery storage */
  readonly 'battery-storage': {
    readonly 'battery-storage/battery-cycles': Characteristics['battery-cycles']
    readonly 'battery-storage/battery-power': Characteristics['battery-power']
    readonly 'battery-storage/battery-reserve': Characteristics['battery-reserve']
    readonly 'battery-storage/battery-state-of-charge': Characteristics['battery-state-of-charge']
    readonly 'battery-storage/battery-temperature': Characteristics['battery-temperature']
  }
  /** Brine circuit */
  readonly 'brine-circuit': {
    readonly 'brine-circuit/brine-inlet-temperature': Characteristics['brine-inlet-temperature']
    readonly 'brine-circuit/brine-outlet-temperature': Characteristics['brine-outlet-temperature']
    readonly 'brine-circuit/system-pressure': Characteristics['system-pressure']
  }
  /** Circulation */
  readonly circulation: {
    readonly 'circulation/circulation-pause': Characteristics['circulation-pause']
    readonly 'circulation/pump-running': Characteristics['pump-running']
    readonly 'circulation/pump-speed': Characteristics['pump-speed']
  }
  /** Compressor */
  readonly compressor: {
    readonly 'compressor/compressor-runtime': Characteristics['compressor-runtime']
    readonly 'compressor/compressor-speed': Characteristics['compressor-speed']
    readonly 'compressor/compressor-starts': Characteristics['compressor-starts']
  }
  /** Electricity metering */
  readonly 'electricity-metering': {
    readonly 'electricity-metering/active-power': Characteristics['active-power']
    readonly 'electricity-metering/energy-exported': Characteristics['energy-exported']
    readonly 'electricity-metering/energy-imported': Characteristics['energy-imported']
    readonly 'electricity-metering/meter-reading-day': Characteristics['meter-reading-day']
  }
  /** Feed-in management */
  readonly 'feed-in-management': {
    readonly 'feed-in-management/feed-in-limit': Characteristics['feed-in-limit']
  }
  /**
   * Flue gas
   *
   * @deprecated Its status is ARCHIVED.
   */
  readonly 'flue-gas': {
    readonly 'flue-gas/flue-gas-temperature': Characteristics['flue-gas-temperature']
  }
  /** State of the gateway */
  readonly 'gateway-health': {
    readonly 'gateway-health/connected-devices': Characteristics['connected-devices']
    readonly 'gateway-health/cpu-load': Characteristics['cpu-load']
    readonly 'gateway-health/firmware-version': Characteristics['firmware-version']
    readonly 'gateway-health/last-sync': Characteristics['last-sync']
    readonly 'gateway-health/sending-interval': Characteristics['sending-interval']
    readonly 'gateway-health/uptime': Characteristics['uptime']
  }
  /** Grid quality */
  readonly 'grid-quality': {
    readonly 'grid-quality/grid-frequency': Characteristics['grid-frequency']
    readonly 'grid-quality/voltage-l1': Characteristics['voltage-l1']
    readonly 'grid-quality/voltage-l2': Characteristics['voltage-l2']
    readonly 'grid-quality/voltage-l3': Characteristics['voltage-l3']
  }
  /**
   * Heat generation
   *
   * Operation of a heat pump
   */
  readonly 'heat-generation': {
    readonly 'heat-generation/coefficient-of-performance': Characteristics['coefficient-of-performance']
    readonly 'heat-generation/electrical-power-input': Characteristics['electrical-power-input']
    readonly 'heat-generation/flow-temperature': Characteristics['flow-temperature']
    readonly 'heat-generation/grid-lock': Characteristics['grid-lock']
    readonly 'heat-generation/heat-pump-state': Characteristics['heat-pump-state']
    readonly 'heat-generation/return-temperature': Characteristics['return-temperature']
    readonly 'heat-generation/thermal-power': Characteristics['thermal-power']
  }
  /** Heat metering */
  readonly 'heat-metering': {
    readonly 'heat-metering/flow-temperature': Characteristics['flow-temperature']
    readonly 'heat-metering/heat-energy': Characteristics['heat-energy']
    readonly 'heat-metering/meter-reading-day': Characteristics['meter-reading-day']
    readonly 'heat-metering/return-temperature': Characteristics['return-temperature']
    readonly 'heat-metering/thermal-power': Characteristics['thermal-power']
    readonly 'heat-metering/volume-flow': Characteristics['volume-flow']
  }
  /** Control of the heat pump */
  readonly 'heat-pump-control': {
    readonly 'heat-pump-control/flow-temperature-setpoint': Characteristics['flow-temperature-setpoint']
    readonly 'heat-pump-control/heat-pump-mode': Characteristics['heat-pump-mode']
    readonly 'heat-pump-control/heating-curve': Characteristics['heating-curve']
  }
  /** Heat storage */
  readonly 'heat-storage': {
    readonly 'heat-storage/buffer-temperature-bottom': Characteristics['buffer-temperature-bottom']
    readonly 'heat-storage/buffer-temperature-top': Characteristics['buffer-temperature-top']
  }
  /** Domestic hot water */
  readonly 'hot-water': {
    readonly 'hot-water/hot-water-setpoint': Characteristics['hot-water-setpoint']
    readonly 'hot-water/hot-water-temperature': Characteristics['hot-water-temperature']
    readonly 'hot-water/last-legionella-cycle': Characteristics['last-legionella-cycle']
    readonly 'hot-water/legionella-cycle-time': Characteristics['legionella-cycle-time']
  }
  /**
   * Maintenance
   *
   * For everything that is inspected once a year
   */
  readonly maintenance: {
    readonly 'maintenance/commissioning-report': Characteristics['commissioning-report']
    readonly 'maintenance/next-maintenance': Characteristics['next-maintenance']
  }
  /** Radiator */
  readonly radiator: {
    readonly 'radiator/valve-position': Characteristics['valve-position']
  }
  /**
   * Radio device
   *
   * Battery and reception
   */
  readonly 'radio-device': {
    readonly 'radio-device/battery-level': Characteristics['battery-level']
    readonly 'radio-device/signal-strength': Characteristics['signal-strength']
  }
  /** Room climate */
  readonly 'room-climate': {
    readonly 'room-climate/co2-concentration': Characteristics['co2-concentration']
    readonly 'room-climate/room-humidity': Characteristics['room-humidity']
    readonly 'room-climate/room-temperature': Characteristics['room-temperature']
  }
  /** Room control */
  readonly 'room-control': {
    readonly 'room-control/child-lock': Characteristics['child-lock']
    readonly 'room-control/display-text': Characteristics['display-text']
    readonly 'room-control/heating-schedule': Characteristics['heating-schedule']
    readonly 'room-control/room-setpoint': Characteristics['room-setpoint']
    readonly 'room-control/room-temperature': Characteristics['room-temperature']
    readonly 'room-control/setback-setpoint': Characteristics['setback-setpoint']
    readonly 'room-control/thermostat-mode': Characteristics['thermostat-mode']
  }
  /** Solar generation */
  readonly 'solar-generation': {
    readonly 'solar-generation/ac-power': Characteristics['ac-power']
    readonly 'solar-generation/dc-current': Characteristics['dc-current']
    readonly 'solar-generation/dc-voltage': Characteristics['dc-voltage']
    readonly 'solar-generation/inverter-state': Characteristics['inverter-state']
    readonly 'solar-generation/inverter-warnings': Characteristics['inverter-warnings']
    readonly 'solar-generation/yield-today': Characteristics['yield-today']
    readonly 'solar-generation/yield-total': Characteristics['yield-total']
  }
  /** Vehicle charging */
  readonly 'vehicle-charging': {
    readonly 'vehicle-charging/charging-current-limit': Characteristics['charging-current-limit']
    readonly 'vehicle-charging/charging-power': Characteristics['charging-power']
    readonly 'vehicle-charging/charging-state': Characteristics['charging-state']
  }
  /** Water metering */
  readonly 'water-metering': {
    readonly 'water-metering/meter-reading-day': Characteristics['meter-reading-day']
    readonly 'water-metering/volume-flow': Characteristics['volume-flow']
    readonly 'water-metering/water-volume': Characteristics['water-volume']
  }
  /** Weather */
  readonly weather: {
    readonly 'weather/global-radiation': Characteristics['global-radiation']
    readonly 'weather/outdoor-temperature': Characteristics['outdoor-temperature']
    readonly 'weather/precipitation': Characteristics['precipitation']
    readonly 'weather/weather-forecast': Characteristics['weather-forecast']
    readonly 'weather/wind-speed': Characteristics['wind-speed']
  }
  /** Window contact */
  readonly 'window-contact': {
    readonly 'window-contact/window-open': Characteristics['window-open']
  }
}

/** The data model, for the client of Holdfast. */
export interface Model {
  readonly componentModels: {
    /**
     * Battery 100 kWh
     *
     * Lithium iron phosphate, in the cellar of Lindenhof 1
     */
    readonly 'battery-100': Services['battery-storage'] & Services['maintenance']
    /** Buffer tank 1500 l */
    readonly 'buffer-tank-1500': Services['heat-storage']
    /** Charging point 22 kW */
    readonly 'charging-point-22': Services['electricity-metering'] & Services['vehicle-charging']
    /** Electricity meter, three-phase */
    readonly 'electricity-meter-3p': Services['electricity-metering'] & Services['grid-quality']
    /**
     * Gas boiler 90 kW
     *
     * @deprecated Its status is ARCHIVED.
     */
    readonly 'gas-boiler-90': Services['flue-gas']
    /** Heat meter, ultrasonic */
    readonly 'heat-meter-ultrasonic': Services['heat-metering']
    /**
     * Air heat pump 25 kW
     *
     * Serves the row houses
     */
    readonly 'heat-pump-air-25': Services['compressor'] &
      Services['heat-generation'] &
      Services['heat-pump-control'] &
      Services['maintenance']
    /**
     * Brine heat pump 60 kW
     *
     * Ground-source heat pump with inverter compressor, in the plant rooms
     */
    readonly 'heat-pump-brine-60': Services['brine-circuit'] &
      Services['compressor'] &
      Services['heat-generation'] &
      Services['heat-pump-control'] &
      Services['maintenance']
    /**
     * Hot water station
     *
     * Fresh water station with circulation
     */
    readonly 'hot-water-station': Services['circulation'] & Services['hot-water']
    /**
     * PV inverter 50 kW
     *
     * String inverter with six trackers
     */
    readonly 'pv-inverter-50': Services['feed-in-management'] & Services['solar-generation']
    /** Radiator valve */
    readonly 'radiator-valve': Services['radiator'] & Services['radio-device']
    /**
     * Room sensor
     *
     * Temperature, humidity and CO₂
     */
    readonly 'room-sensor': Services['radio-device'] & Services['room-climate']
    /**
     * Room thermostat
     *
     * Wall unit with display
     */
    readonly 'room-thermostat': Services['radio-device'] & Services['room-control']
    /** Energy balance of the site */
    readonly 'site-balance': Services['electricity-metering'] & Services['heat-metering']
    /**
     * Site gateway
     *
     * Modbus, M-Bus and LoRaWAN to the platform
     */
    readonly 'site-gateway': Services['gateway-health']
    /** Water meter */
    readonly 'water-meter': Services['water-metering']
    /**
     * Weather station
     *
     * On the roof of Lindenhof 1
     */
    readonly 'weather-station': Services['radio-device'] & Services['weather']
    /** Window sensor */
    readonly 'window-sensor': Services['radio-device'] & Services['window-contact']
  }
  readonly eventModels: {
    /** The battery is down to its reserve */
    readonly 'battery-reserve-reached': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'INFO'
      readonly eventType: 'SINGLE_POINT'
    }
    /** New firmware was installed */
    readonly 'firmware-updated': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'SUCCESS'
      readonly eventType: 'SINGLE_POINT'
    }
    /**
     * The flue gas of a boiler was too hot
     *
     * @deprecated Its status is ARCHIVED.
     */
    readonly 'flue-gas-too-hot': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'RANGED'
    }
    /** The gateway has sent nothing for 15 minutes */
    readonly 'gateway-offline': {
      readonly entityType: 'SYSTEM'
      readonly eventLevel: 'ERROR'
      readonly eventType: 'RANGED'
    }
    /** The grid operator has locked the heat pump */
    readonly 'grid-lock-active': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'INFO'
      readonly eventType: 'RANGED'
    }
    /** The heat pump reports a fault and has stopped */
    readonly 'heat-pump-fault': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'ERROR'
      readonly eventType: 'RANGED'
    }
    /** The high-pressure switch has opened */
    readonly 'high-pressure-trip': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'SINGLE_POINT'
    }
    /** The hot water is below 55 °C */
    readonly 'hot-water-too-cold': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'ERROR'
      readonly eventType: 'RANGED'
    }
    /** The inverter has reduced its power */
    readonly 'inverter-derated': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'RANGED'
    }
    /** Water has been flowing all night */
    readonly 'leak-suspected': {
      readonly entityType: 'SYSTEM'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'RANGED'
    }
    /** The legionella cycle has reached its temperature */
    readonly 'legionella-cycle-done': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'SUCCESS'
      readonly eventType: 'SINGLE_POINT'
    }
    /** The public grid has failed */
    readonly 'power-cut': { readonly entityType: 'SYSTEM'; readonly eventLevel: 'ERROR'; readonly eventType: 'RANGED' }
    /** A battery has to be changed soon */
    readonly 'sensor-battery-low': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'SINGLE_POINT'
    }
    /** A window is open while the heating is on */
    readonly 'window-left-open': {
      readonly entityType: 'COMPONENT'
      readonly eventLevel: 'WARNING'
      readonly eventType: 'RANGED'
    }
  }
  readonly metadata: {
    readonly CHARACTERISTIC: {
      /** Register of a meter (IEC 62056-61) */
      readonly 'obis-code': string
      /** Modbus holding register */
      readonly register: number | string
    }
    readonly COMPONENT: {
      /** Serial number on the type plate */
      readonly 'serial-number': string
    }
    readonly COMPONENT_MODEL: {
      /** Number under which the device is ordered */
      readonly 'article-number': string
      /** Years until a meter has to be calibrated again */
      readonly 'calibration-years': number | string
      /** Not to be mounted outside */
      readonly 'indoor-only': boolean
      /** Company that builds the device */
      readonly manufacturer: string
      /** Rated thermal or electrical power in kW */
      readonly 'rated-power': number
    }
    readonly EVENT: {
      /** Ticket of the service desk */
      readonly ticket: string
    }
    readonly EVENT_MODEL: {
      /** Hours within which somebody looks after it */
      readonly 'response-hours': number | string
    }
    readonly ORGANIZATION: {
      /** Number in the tenancy system */
      readonly 'customer-number': number | string
      /** Date from which the contract runs */
      readonly 'member-since': string
    }
    readonly ORGANIZATION_UNIT: {
      /** Identifier in the land register */
      readonly 'building-id': string
      /** Heated floor area in m² */
      readonly 'heated-area': number
    }
    readonly SERVICE: {
      /** Values that end up in a bill and are kept for ten years */
      readonly 'billing-relevant': boolean
    }
    readonly SYSTEM: {
      /** When the system went into service */
      readonly 'commissioned-at': string
    }
    readonly USER: {
      readonly 'staff-number': string
    }
  }
}
