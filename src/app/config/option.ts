/** What is said of a setting of a node. */
export interface Option {
  /** Environment variable. */
  env: string
  /** Flag of `octavo start`, without the dashes. */
  flag?: string
  /** What it does and its unit; ends with what leaving it out means. */
  help: string
  /** Value when it is left out, as text; absent: stays unset. */
  default?: string
  isSecret?: true
}

export interface WholeOption extends Option {
  /** The least and the most. */
  range: readonly [number, number]
}

/** A setting that is a whole number. `{range}` in its help stands for the bounds. */
export function whole<const Row extends Option>(least: number, most: number, row: Row): Row & WholeOption {
  return { ...row, help: row.help.replace('{range}', `${least} to ${most}`), range: [least, most] }
}
