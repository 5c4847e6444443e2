/** Description of a node setting. */
export interface Option {
  env: string
  /** Flag of `octavo start`, without dashes. */
  flag?: string
  /** Purpose and unit of the setting. Ends with the meaning of leaving it out. */
  help: string
  /** Default value as text; absent leaves the setting unset. */
  default?: string
  isSecret?: true
}

export interface WholeOption extends Option {
  /** Minimum and maximum. */
  range: readonly [number, number]
}

/** Declares a whole-number setting. `{range}` in its help is replaced by the limits. */
export function whole<const Row extends Option>(least: number, most: number, row: Row): Row & WholeOption {
  return { ...row, help: row.help.replace('{range}', `${least} to ${most}`), range: [least, most] }
}
