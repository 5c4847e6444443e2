import type { TestContext } from 'node:test'
import {
  linkCases,
  listingCases,
  objectCases,
  servedLinkCases,
  sortedListingCases,
} from '../cases/object-store.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { alterLink, LINK_SECRET, startLinkServer } from './link-server.ts'

const open = () => openObjectStore({ kind: 'memory' })

objectCases('memory', open)
listingCases('memory', open)
sortedListingCases('memory', open)
linkCases('memory', openServed)
servedLinkCases('memory', openServed)

async function openServed(t: TestContext) {
  const server = await startLinkServer(t)
  const options = { kind: 'memory', publicUrl: server.publicUrl, secret: LINK_SECRET } as const
  server.store = await openObjectStore(options)
  const slowStore = await openObjectStore({ ...options, now: () => Date.now() - 7_200_000 })
  return { store: server.store, slowStore, alter: alterLink }
}
