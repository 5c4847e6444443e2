/** What the methods of the protocol take and give. */

export type MethodResult = Readonly<Record<string, unknown>>

/** By the name of the method. */
export type MethodTable = ReadonlyMap<
  string,
  (params: Readonly<Record<string, unknown>>) => Promise<MethodResult>
>

/** The params are not right; the sentence says how they are. */
export class MethodFault extends Error {
  override name = 'MethodFault'
}
