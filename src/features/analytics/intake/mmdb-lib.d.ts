/** What is used of `mmdb-lib`. */
declare module 'mmdb-lib' {
  export class Reader<Found> {
    constructor(database: Buffer)
    /** Throws for a text that is no address. */
    get(address: string): Found | null
  }
}
