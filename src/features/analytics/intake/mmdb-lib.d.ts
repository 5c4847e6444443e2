/** Types of the used part of `mmdb-lib`. */
declare module 'mmdb-lib' {
  export class Reader<Found> {
    constructor(database: Buffer)
    /** Throws for an invalid address. */
    get(address: string): Found | null
  }
}
