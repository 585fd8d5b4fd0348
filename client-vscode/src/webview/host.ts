/** The editor around a page. */
export interface Host<To, From, State> {
  post(message: From): void;
  /** What outlives the page while it is hidden: nothing that the host does not know better. */
  getState(): State | undefined;
  setState(state: State): void;
  onMessage(listener: (message: To) => void): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The editor when the page runs in a webview. */
export function editorHost<To, From, State>(): Host<To, From, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    getState: () => api.getState() as State | undefined,
    setState: (state) => api.setState(state),
    onMessage: (listener) =>
      window.addEventListener("message", (event: MessageEvent<To>) => listener(event.data)),
  };
}
