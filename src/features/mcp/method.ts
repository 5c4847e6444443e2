/** Parameters and results of protocol methods. */

export type MethodResult = Readonly<Record<string, unknown>>

export type MethodTable = ReadonlyMap<
  string,
  (params: Readonly<Record<string, unknown>>) => Promise<MethodResult>
>

/** Thrown for invalid parameters. The message describes valid parameters. */
export class MethodFault extends Error {
  override name = 'MethodFault'
}
