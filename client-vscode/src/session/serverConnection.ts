import type { NotificationType, RequestType } from "vscode-languageserver-protocol";

/** What a session asks of the connection. */
export interface ServerConnection {
  /** Raises: the server's error, or one that says that it does not run. */
  request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R>;
  notify<P>(type: NotificationType<P>, params: P): Promise<void>;
}
