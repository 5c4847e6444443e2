export const RateCalculator = ({ perHour }) => {
  const [callers, setCallers] = useState(4)
  return (
    <div className="not-prose my-6 rounded-xl border border-gray-950/10 dark:border-white/10 p-5">
      <label className="flex flex-col gap-3 text-sm">
        <span>
          {callers} callers, <b className="text-primary dark:text-primary-light">{Math.floor(perHour / callers)}</b> requests an hour each
        </span>
        <input
          type="range"
          min="1"
          max="20"
          value={callers}
          onChange={(event) => setCallers(Number(event.target.value))}
        />
      </label>
    </div>
  )
}

export const Legend = ({ children }) => <p className="text-sm italic">{children}</p>
