/** Parameters and results of protocol methods. */

export type MethodResult = Readonly<Record<string, unknown>>

/** Method implementations by name. */
export type MethodTable = ReadonlyMap<
  string,
  (params: Readonly<Record<string, unknown>>) => Promise<MethodResult>
>

/** The params are invalid. The sentence describes valid ones. */
export class MethodFault extends Error {
  override name = 'MethodFault'
}
