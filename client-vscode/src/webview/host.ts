import type { FromPage, ToPage } from "../chat/posts";

/** What outlives the page while it is hidden: nothing that the host does not know better. */
export interface PageState {
  readonly draft: string;
  /** Distance from the top in pixels; absent when the page follows the end. */
  readonly scroll?: number;
}

/** The editor around the page. */
export interface Host {
  post(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
  onMessage(listener: (message: ToPage) => void): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
};

/** The editor when the page runs in a webview. */
export function editorHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
    onMessage: (listener) =>
      window.addEventListener("message", (event: MessageEvent<ToPage>) => listener(event.data)),
  };
}
