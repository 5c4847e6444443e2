/** Replaces `react`, limited to rendering once to a string. In browsers, islands use the whole library. */
import type { ComponentChildren } from 'preact'
import * as preact from 'preact'
import * as hooks from 'preact/hooks'
import { FREE_REACT_NAMES } from '../tree/island-names.ts'

const Children = {
  map: (children: ComponentChildren, make: (child: unknown, index: number) => unknown) =>
    children === null || children === undefined ? children : preact.toChildArray(children).map(make),
  forEach: (children: ComponentChildren, act: (child: unknown, index: number) => void) =>
    void preact.toChildArray(children).map(act),
  count: (children: ComponentChildren) => preact.toChildArray(children).length,
  only: (children: ComponentChildren) => {
    const [child, ...others] = preact.toChildArray(children)
    if (child === undefined || others.length > 0) throw new TypeError('one child is expected')
    return child
  },
  toArray: preact.toChildArray,
}

/** APIs that require a document. They behave as in the first render. */
const still = {
  memo: (component: unknown) => component,
  forwardRef: (render: (props: object, ref: null) => ComponentChildren) => (props: object) =>
    render(props, null),
  lazy: () => () => null,
  Suspense: preact.Fragment,
  StrictMode: preact.Fragment,
  PureComponent: preact.Component,
  createPortal: () => null,
  startTransition: (act: () => void) => act(),
  useDeferredValue: (value: unknown) => value,
  useInsertionEffect: () => {},
  useSyncExternalStore: (
    _subscribe: unknown,
    snapshot: () => unknown,
    serverSnapshot: () => unknown = snapshot,
  ) => serverSnapshot(),
  useTransition: () => [false, (act: () => void) => act()],
}

const names = { ...preact, ...hooks, ...still, Children }

/** Supports named and default imports. */
export const react = { ...names, default: names }

/** Available in every file without an import. */
export const FREE_NAMES: Record<string, unknown> = {
  React: names,
  ...Object.fromEntries(FREE_REACT_NAMES.map((name) => [name, names[name as keyof typeof names]])),
  process: { env: { NODE_ENV: 'production' } },
  ...hooks,
  useDeferredValue: still.useDeferredValue,
  useSyncExternalStore: still.useSyncExternalStore,
  useTransition: still.useTransition,
}
