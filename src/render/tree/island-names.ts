/** Names that code of islands may use: what React exports. The built-in components: see built-in-names.ts. */

/** Of the runtime, which has all of them. */
export const REACT_NAMES: readonly string[] = (
  'Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement ' +
  'createFactory createPortal createRef findDOMNode flushSync forwardRef h isValidElement jsx jsxDEV jsxs lazy memo ' +
  'options render startTransition toChildArray unstable_batchedUpdates use useCallback useContext useDebugValue ' +
  'useDeferredValue useEffect useErrorBoundary useId useImperativeHandle useInsertionEffect useLayoutEffect useMemo ' +
  'useReducer useRef useState useSyncExternalStore useTransition'
).split(' ')

/** Known in every file without an import, beside all names of hooks. */
export const FREE_REACT_NAMES: readonly string[] = (
  'Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement createPortal ' +
  'createRef forwardRef isValidElement lazy memo startTransition'
).split(' ')
