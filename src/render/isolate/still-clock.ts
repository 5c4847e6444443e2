/** Fixes time and random numbers for author code, so that the same page results in the same bytes. */

/** 2026-01-01T00:00:00Z */
const NOW = 1767225600000

export function stopClock(): void {
  const RealDate = Date
  const StillDate: DateConstructor = new Proxy(RealDate, {
    apply: () => new RealDate(NOW).toString(),
    construct: (_target, args: unknown[], newTarget) =>
      Reflect.construct(
        RealDate,
        args.length === 0 ? [NOW] : args,
        newTarget === StillDate ? RealDate : newTarget,
      ),
    get: (target, name, receiver) => (name === 'now' ? () => NOW : Reflect.get(target, name, receiver)),
  })
  RealDate.prototype.constructor = StillDate
  globalThis.Date = StillDate
  let seed = 0x9e3779b9
  Math.random = () => {
    // The mulberry32 generator.
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
