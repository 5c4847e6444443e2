/** Names that island code may use: the exports of React. For the built-in components see built-in-names.ts. */

export const REACT_NAMES: readonly string[] = (
  'Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement ' +
  'createFactory createPortal createRef findDOMNode flushSync forwardRef h isValidElement jsx jsxDEV jsxs lazy memo ' +
  'options render startTransition toChildArray unstable_batchedUpdates use useCallback useContext useDebugValue ' +
  'useDeferredValue useEffect useErrorBoundary useId useImperativeHandle useInsertionEffect useLayoutEffect useMemo ' +
  'useReducer useRef useState useSyncExternalStore useTransition'
).split(' ')

/** Available in every file without an import, in addition to all hooks. */
export const FREE_REACT_NAMES: readonly string[] = (
  'Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement createPortal ' +
  'createRef forwardRef isValidElement lazy memo startTransition'
).split(' ')
