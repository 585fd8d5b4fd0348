;;; plimsoll-rpc.el --- JSON-RPC over the pipes of a server  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Messages with Content-Length frames, both ways.  A request of the server may be
;; answered later, as a person's decision is: jsonrpc.el wants its answer at once.

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(cl-defstruct (plimsoll-rpc (:constructor plimsoll-rpc--make))
  "A connection to a server."
  process
  (next-id 0)
  (waiting (make-hash-table))           ; id -> (on-result . on-error)
  (received (list ""))                  ; newest first, of bytes that hold no whole message
  on-notification                       ; called with METHOD and PARAMS
  on-request                            ; called with ID, METHOD and PARAMS
  on-end)                               ; called with a text that says why

(defun plimsoll-rpc-start (command folder &rest handlers)
  "Start the server COMMAND in FOLDER and return the connection.
HANDLERS are the keywords `:on-notification', `:on-request' and `:on-end'."
  (let* ((default-directory folder)
         (connection (apply #'plimsoll-rpc--make handlers))
         (errors (generate-new-buffer " *plimsoll-errors*"))
         (process
          (make-process
           :name "plimsoll" :command command :connection-type 'pipe
           :coding 'no-conversion :noquery t :stderr errors
           :filter (lambda (_process bytes) (plimsoll-rpc--receive connection bytes))
           :sentinel (lambda (process _event)
                       (unless (process-live-p process)
                         (plimsoll-rpc--end connection errors))))))
    (setf (plimsoll-rpc-process connection) process)
    (let ((reader (get-buffer-process errors)))
      (when reader
        (set-process-query-on-exit-flag reader nil)
        (set-process-sentinel reader #'ignore)))
    connection))

(defun plimsoll-rpc-live-p (connection)
  "Tell whether the server behind CONNECTION runs."
  (and connection (process-live-p (plimsoll-rpc-process connection))))

(defun plimsoll-rpc-request (connection method params on-result &optional on-error)
  "Send a request of METHOD with PARAMS and return its id.
ON-RESULT is called with the result; ON-ERROR with the error, which is shown
without it."
  (let ((id (cl-incf (plimsoll-rpc-next-id connection))))
    (puthash id (cons on-result (or on-error #'plimsoll-rpc-show-error))
             (plimsoll-rpc-waiting connection))
    (plimsoll-rpc--send connection (list :id id :method method :params params))
    id))

(defun plimsoll-rpc-notify (connection method params)
  "Send a notification of METHOD with PARAMS."
  (plimsoll-rpc--send connection (list :method method :params params)))

(defun plimsoll-rpc-answer (connection id result)
  "Answer the server's request ID with RESULT."
  (plimsoll-rpc--send connection (list :id id :result result)))

(defun plimsoll-rpc-refuse (connection id code message)
  "Answer the server's request ID with the error CODE and MESSAGE."
  (plimsoll-rpc--send connection (list :id id :error (list :code code :message message))))

(defun plimsoll-rpc-wait (connection method params)
  "Send a request of METHOD with PARAMS, wait for its result and return it.
Signal a `user-error' with the server's message if it fails."
  (let (done result failure)
    (plimsoll-rpc-request connection method params
                          (lambda (found) (setq result found done t))
                          (lambda (found) (setq failure found done t)))
    (while (and (not done) (plimsoll-rpc-live-p connection))
      (accept-process-output (plimsoll-rpc-process connection) 0.1))
    (cond (failure (user-error "%s" (plimsoll-rpc-error-text failure)))
          ((not done) (user-error "The server of Plimsoll has ended")))
    result))

(defun plimsoll-rpc-error-text (failure)
  "Return the message of FAILURE, with what to do."
  (let ((remedy (plist-get (plist-get failure :data) :remedy)))
    (string-join (delq nil (list (plist-get failure :message) remedy)) " ")))

(defun plimsoll-rpc-show-error (failure)
  "Show the message of FAILURE in the echo area."
  (message "Plimsoll: %s" (plimsoll-rpc-error-text failure)))

(defun plimsoll-rpc--send (connection message)
  "Write MESSAGE, a plist, to the server of CONNECTION."
  (let* ((json (json-serialize (cons :jsonrpc (cons "2.0" message))
                               :null-object :null :false-object :json-false))
         ;; Emacs 30 returns bytes, those before it characters.
         (body (if (multibyte-string-p json) (encode-coding-string json 'utf-8) json)))
    (when (plimsoll-rpc-live-p connection)
      (process-send-string (plimsoll-rpc-process connection)
                           (format "Content-Length: %d\r\n\r\n%s" (length body) body)))))

(defun plimsoll-rpc--receive (connection bytes)
  "Take BYTES of the server of CONNECTION, and act on each message that is whole."
  (push bytes (plimsoll-rpc-received connection))
  (let (message)
    (while (setq message (plimsoll-rpc--next connection))
      (condition-case problem
          (plimsoll-rpc--dispatch connection message)
        (error (message "Plimsoll: %s" (error-message-string problem)))))))

(defun plimsoll-rpc--next (connection)
  "Return the next whole message that CONNECTION has received, or nil."
  (let ((all (apply #'concat (reverse (plimsoll-rpc-received connection)))))
    (setf (plimsoll-rpc-received connection) (list all))
    (when (string-match "\\(?:\\`\\|\r\n\\)Content-Length: *\\([0-9]+\\)\r\n\\(?:[^\r]+\r\n\\)*\r\n" all)
      (let* ((from (match-end 0))
             (to (+ from (string-to-number (match-string 1 all)))))
        (when (<= to (length all))
          (setf (plimsoll-rpc-received connection) (list (substring all to)))
          (json-parse-string (decode-coding-string (substring all from to) 'utf-8)
                             :object-type 'plist :array-type 'list
                             :null-object nil :false-object nil))))))

(defun plimsoll-rpc--dispatch (connection message)
  "Act on a MESSAGE that CONNECTION has received."
  (let ((id (plist-get message :id))
        (method (plist-get message :method)))
    (cond
     ((and method id)
      (funcall (plimsoll-rpc-on-request connection) id method (plist-get message :params)))
     (method
      (funcall (plimsoll-rpc-on-notification connection) method (plist-get message :params)))
     (t
      (let ((handlers (gethash id (plimsoll-rpc-waiting connection)))
            (failure (plist-get message :error)))
        (remhash id (plimsoll-rpc-waiting connection))
        (when handlers
          (if failure
              (funcall (cdr handlers) failure)
            (funcall (car handlers) (plist-get message :result)))))))))

(defun plimsoll-rpc--end (connection errors)
  "Tell that the server of CONNECTION has ended, with the last of ERRORS."
  (let ((why (with-current-buffer errors
               (string-trim (buffer-substring (max (point-min) (- (point-max) 2000))
                                              (point-max))))))
    (kill-buffer errors)
    (clrhash (plimsoll-rpc-waiting connection))
    (funcall (plimsoll-rpc-on-end connection) why)))

(provide 'plimsoll-rpc)
;;; plimsoll-rpc.el ends here
